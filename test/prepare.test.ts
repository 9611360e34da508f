import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const { scripts } = (await import("../package.json")).default;

/** What npm runs in a clone that it only links, with stand-ins that say what they were called with. */
function prepare(installed: boolean, env: Record<string, string> = {}): string {
  const clone = mkdtempSync(join(tmpdir(), "parley-clone-"));
  const [said, bin] = [join(clone, "said"), join(clone, "node_modules/.bin")];
  for (const folder of ["scripts", "path", ...(installed ? ["node_modules/.bin"] : [])])
    mkdirSync(join(clone, folder), { recursive: true });
  cpSync(join(root, "scripts/prepare.mjs"), join(clone, "scripts/prepare.mjs"));
  for (const [folder, name] of [[join(clone, "path"), "npm"] as const, ...(installed ? [[bin, "bun"] as const] : [])])
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} "$@" >>'${said}'\n`, { mode: 0o755 });
  try {
    const PATH = `${join(clone, "path")}:${process.env["PATH"]}`;
    const { exitCode } = Bun.spawnSync(["sh", "-c", scripts.prepare], { cwd: clone, env: { PATH, ...env } });
    expect(exitCode).toBe(0);
    return existsSync(said) ? readFileSync(said, "utf8").replaceAll(clone, "CLONE") : "";
  } finally {
    rmSync(clone, { recursive: true });
  }
}

test("[FM20] a clone that is installed as a dependency gets its own packages, then the library that programs load", () => {
  expect(prepare(false)).toStartWith("npm ci ");
  expect(prepare(true)).toBe("bun CLONE/scripts/build-library.ts\n");
  expect(prepare(true, { PARLEY_NO_LIBRARY: "1" })).toBe("");
});
