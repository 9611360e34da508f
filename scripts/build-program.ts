// The program as the npm package has it: JavaScript in chunks, so that a hook loads only what a hook needs, and the page's files beside them.
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const [out = join(root, "dist/program")] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
const flags = ["--target=bun", "--format=esm", "--splitting", "--minify"];
const command = [process.execPath, "build", ...flags, join(root, "src/main.ts"), "--outdir", out];
const { exitCode, stderr } = Bun.spawnSync(command, { cwd: root, stdout: "ignore", stderr: "pipe" });
if (exitCode !== 0) {
  console.error(stderr.toString());
  process.exit(exitCode);
}
// Its main file names each of its chunks by their content.
const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(join(out, "main.js")).text()).update(Bun.version);
writeFileSync(join(out, "digest"), `${digest.digest("hex").slice(0, 16)}\n`);
const bytes = readdirSync(out).reduce((sum, name) => sum + statSync(join(out, name)).size, 0);
console.log(`program: ${out} (${Math.round(bytes / 1000)} kB)`);
