// Makes dist/parley, or the file that is named: one self-contained program. Split into chunks, so that a hook loads only what a hook needs; deaf to
// the .env and bunfig.toml of whatever directory it is started in. `--all`: one for each system, with their checksums.
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** As install.sh names them: system and processor as Node does. */
const SYSTEMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const root = join(import.meta.dir, "..");
const [given] = process.argv.slice(2);

if (given === "--all") {
  const folder = join(root, "dist/programs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = SYSTEMS.map((system) => build(join(folder, `parley-${system}`), [`--target=bun-${system}`]));
  const sums = await Promise.all(made.map(async (file) => `${await digestOf(file)}  ${basename(file)}\n`));
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  console.log(join(folder, "SHA256SUMS"));
} else build(given ?? join(root, "dist/parley"));

function build(outfile: string, target: string[] = []): string {
  rmSync(outfile, { force: true });
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--splitting", ...target];
  const deaf = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
  const command = [process.execPath, "build", ...flags, ...deaf, join(root, "src/main.ts"), "--outfile", outfile];
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: root, stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) {
    console.error(stderr.toString());
    process.exit(exitCode);
  }
  console.log(`${outfile} (${Math.round(statSync(outfile).size / 1_000_000)} MB)`);
  return outfile;
}

async function digestOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const part of Bun.file(file).stream()) hash.update(part);
  return hash.digest("hex");
}
