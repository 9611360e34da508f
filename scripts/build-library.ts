// The library: plain JavaScript with types, for programs on Node and Bun that embed the tool or draw the inbox. Node runs no TypeScript
// from node_modules.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Glob } from "bun";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const [out = join(root, "dist/library")] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
const tsc = [join(root, "node_modules/.bin/tsc"), "-p", join(root, "tsconfig.library.json"), "--outDir", out];
const { exitCode } = Bun.spawnSync(tsc, { stdio: ["ignore", "inherit", "inherit"] });
if (exitCode !== 0) process.exit(exitCode);
// The compiler rewrites the names of imported files in JavaScript only.
for (const file of new Glob("**/*.d.ts").scanSync({ cwd: out, absolute: true }))
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/((?:from|import\() ?"\.[^"]+)\.ts"/g, '$1.js"'));
console.log(`library: ${out}`);
