import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { pageFiles } from "../../src/surfaces/web/bundle.ts";

/**
 * The program and its page, put together once: from source each start of a daemon costs 0.45 s of a core, most of it
 * reading TypeScript, and the first look at its page half a second more. `main` costs 0.2 and can be given to Bun with
 * more beside it; `compiled`, the one file that people download, costs 0.15, and a command half of one from `main`.
 */
export async function buildProgram(root: string): Promise<{ main: string; compiled: string; remove(): void }> {
  const outdir = mkdtempSync(join(tmpdir(), "parley-program-"));
  // Some tests start it as another user.
  chmodSync(outdir, 0o755);
  const page = await buildPage(root, outdir);
  const compiled = join(outdir, "parley");
  const how = {
    entrypoints: [join(root, "src/main.ts")],
    target: "bun",
    format: "esm",
    splitting: true,
    minify: { whitespace: true, syntax: true },
    plugins: [
      {
        name: "page",
        setup: (build) =>
          void build.onLoad({ filter: /\/surfaces\/web\/bundle\.ts$/ }, () => ({ contents: page, loader: "js" })),
      },
    ],
  } satisfies Partial<Bun.BuildConfig>;
  const deaf = { autoloadDotenv: false, autoloadBunfig: false };
  await Bun.build({ ...how, bytecode: true, compile: { outfile: compiled, ...deaf } });
  const built = await Bun.build({ ...how, outdir });
  const main = built.outputs.find(({ kind }) => kind === "entry-point")?.path;
  if (!main) throw new Error(`the program was not built: ${built.logs.join("\n")}`);
  return { main, compiled, remove: () => rmSync(outdir, { recursive: true, force: true }) };
}

/** The files of the page as the source makes them, on disk; gives a module that reads them when they are first asked for. */
async function buildPage(root: string, outdir: string): Promise<string> {
  const source = (await import(join(root, "src/surfaces/web/bundle.ts"))) as { pageFiles: typeof pageFiles };
  const files = [...(await source.pageFiles())].map(([name, { body, gzip, type, fixed }], i) => {
    const [plain, packed] = [join(outdir, `page-${i}`), join(outdir, `page-${i}.gz`)];
    writeFileSync(plain, body);
    if (gzip) writeFileSync(packed, gzip);
    return { name, type, fixed, plain, ...(gzip && { packed }) };
  });
  return `import { readFileSync } from "node:fs";
const bytes = (path) => new Uint8Array(readFileSync(path));
const made = ({ name, type, fixed, plain, packed }) =>
  [name, { body: bytes(plain), ...(packed && { gzip: bytes(packed) }), type, fixed }];
let files;
export const pageFiles = () => (files ??= Promise.resolve(new Map(${JSON.stringify(files)}.map(made))));`;
}
