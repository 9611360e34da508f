import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import { missingForLab } from "../../src/lab/requirements.ts";
import { programOf } from "../agents/stage.ts";

const root = join(import.meta.dir, "../..");
const bun = join(root, "node_modules/.bin/bun");
/** What the library needs, and the hosts: both as they are installed here. */
const LINKED = {
  [join(root, "node_modules")]: ["zod", "@earendil-works/pi-tui", "@modelcontextprotocol/server", "typescript"],
  [join(import.meta.dir, "node_modules")]: ["ai", "@anthropic-ai/claude-agent-sdk", "@mariozechner/pi-coding-agent"],
};
export const PI = join(import.meta.dir, "node_modules/@mariozechner/pi-coding-agent/dist/cli.js");
/** Undefined: everything is there. */
export const missingHosts = existsSync(PI)
  ? missingForLab(programOf("2.1.325"))
  : "the hosts are not installed: npm test does it";

const TARBALL = "parley-inbox.tgz";

export type Scratch = { dir: string; [Symbol.dispose](): void };

/** A project of somebody else's that has this package installed from its tarball. */
export function createScratchProject(): Scratch {
  const dir = mkdtempSync(join(tmpdir(), "parley-host-"));
  const modules = join(dir, "node_modules");
  const program = process.env["PARLEY_TEST_PROGRAM"];
  const tarball = program === undefined ? pack(join(dir, "pack")) : packedOnce(join(dirname(program), "pack"));
  mkdirSync(join(modules, "parley-inbox"), { recursive: true });
  run(["tar", "-xzf", tarball, "--strip-components=1", "-C", join(modules, "parley-inbox")], dir);
  for (const [from, names] of Object.entries(LINKED))
    for (const name of names) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(from, name), join(modules, name));
    }
  for (const host of readdirSync(import.meta.dir).filter((name) => name.endsWith(".mjs")))
    cpSync(join(import.meta.dir, host), join(dir, host));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Beside the program that the suite has put together for this run: the first that needs it packs it, the others wait. */
function packedOnce(folder: string): string {
  const tarball = join(folder, TARBALL);
  try {
    mkdirSync(folder);
  } catch {
    for (const until = performance.now() + PATIENCE_MS; !existsSync(tarball); Bun.sleepSync(50))
      if (performance.now() > until) throw new Error(`nobody packed ${tarball}`);
    return tarball;
  }
  return pack(folder);
}

/** Contract: the tarball is there only when it is whole. */
function pack(folder: string): string {
  const [packed, made] = [join(folder, "packed"), join(folder, "made")];
  run([bun, join(root, "scripts/build-library.ts"), join(packed, "dist/library")], root);
  for (const file of ["package.json", "README.md", "LICENSE"]) cpSync(join(root, file), join(packed, file));
  mkdirSync(made);
  run(["npm", "pack", "--offline", "--ignore-scripts", "--loglevel=error", "--pack-destination", made], packed);
  renameSync(join(made, readdirSync(made)[0] ?? ""), join(folder, TARBALL));
  return join(folder, TARBALL);
}

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed:\n${stderr.toString()}`);
}
