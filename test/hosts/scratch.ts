import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

export type Scratch = { dir: string; [Symbol.dispose](): void };

/** A project of somebody else's that has this package installed from its tarball. */
export function createScratchProject(): Scratch {
  const dir = mkdtempSync(join(tmpdir(), "parley-host-"));
  const [packed, modules] = [join(dir, "packed"), join(dir, "node_modules")];
  run([bun, join(root, "scripts/build-library.ts"), join(packed, "dist/library")], root);
  for (const file of ["package.json", "README.md", "LICENSE"]) cpSync(join(root, file), join(packed, file));
  run(["npm", "pack", "--offline", "--ignore-scripts", "--loglevel=error", "--pack-destination", dir], packed);
  const tarball = readdirSync(dir).find((name) => name.endsWith(".tgz")) ?? "";
  mkdirSync(join(modules, "parley-inbox"), { recursive: true });
  run(["tar", "-xzf", join(dir, tarball), "--strip-components=1", "-C", join(modules, "parley-inbox")], dir);
  for (const [from, names] of Object.entries(LINKED))
    for (const name of names) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(from, name), join(modules, name));
    }
  for (const host of readdirSync(import.meta.dir).filter((name) => name.endsWith(".mjs")))
    cpSync(join(import.meta.dir, host), join(dir, host));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed:\n${stderr.toString()}`);
}
