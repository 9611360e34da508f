// Makes dist/parley, or the file that is named: one self-contained program. Split into chunks, so that a hook loads only what a hook needs; deaf to
// the .env and bunfig.toml of whatever directory it is started in.
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const outfile = process.argv[2] ?? join(root, "dist/parley");
rmSync(outfile, { force: true });
const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--splitting"];
const deaf = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
const command = [process.execPath, "build", ...flags, ...deaf, join(root, "src/main.ts"), "--outfile", outfile];
const { exitCode, stderr } = Bun.spawnSync(command, { cwd: root, stdout: "ignore", stderr: "pipe" });
if (exitCode !== 0) {
  console.error(stderr.toString());
  process.exit(exitCode);
}
console.log(`${outfile} (${Math.round(statSync(outfile).size / 1_000_000)} MB)`);
