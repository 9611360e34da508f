import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The program, put together once: from source each start of a daemon costs 0.45 s of a core, most of it reading
 * TypeScript; so it costs 0.2. The page stays where it is: the daemon makes it when it is first asked for.
 */
export async function buildProgram(root: string): Promise<{ main: string; remove(): void }> {
  const outdir = mkdtempSync(join(tmpdir(), "parley-program-"));
  // Some tests start it as another user.
  chmodSync(outdir, 0o755);
  const page = join(root, "src/surfaces/web/bundle.ts");
  const built = await Bun.build({
    entrypoints: [join(root, "src/main.ts")],
    outdir,
    target: "bun",
    format: "esm",
    splitting: true,
    minify: { whitespace: true, syntax: true },
    plugins: [
      {
        name: "page",
        setup: (build) =>
          void build.onResolve({ filter: /\/web\/bundle\.ts$/ }, () => ({ path: page, external: true })),
      },
    ],
  });
  const main = built.outputs.find(({ kind }) => kind === "entry-point")?.path;
  if (!main) throw new Error(`the program was not built: ${built.logs.join("\n")}`);
  return { main, remove: () => rmSync(outdir, { recursive: true, force: true }) };
}
