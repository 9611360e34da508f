import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dir, "../..");
const bun = join(root, "node_modules/.bin/bun");

const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[]; version: string };

/** What `npm pack` makes of this folder, made apart from it. Returns the path of the tarball. */
export function makePackage(dir: string): string {
  const folder = join(dir, "packed");
  for (const name of ["library", "program"])
    done([bun, join(root, `scripts/build-${name}.ts`), join(folder, `dist/${name}`)], root);
  for (const file of ["package.json", ...about.files.filter((name) => !name.startsWith("dist/"))]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  return pack(folder);
}

/** The same with another number on it. */
export function makeNext(dir: string, version: string): string {
  const folder = join(dir, "next");
  cpSync(join(dir, "packed"), folder, { recursive: true });
  const program = join(folder, "dist/program");
  const files = readdirSync(program).filter((name) => /^package-.*\.js$/.test(name));
  for (const file of [join(folder, "package.json"), ...files.map((name) => join(program, name))])
    writeFileSync(file, readFileSync(file, "utf8").replace(`"${about.version}"`, `"${version}"`));
  writeFileSync(join(program, "digest"), `${version}\n`);
  return pack(folder);
}

function pack(folder: string): string {
  const out = `${folder}-tarball`;
  mkdirSync(out);
  done(["npm", "pack", "--offline", "--ignore-scripts", "--loglevel=error", "--pack-destination", out], folder);
  return join(out, readdirSync(out)[0] ?? "");
}

export function done(command: string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed:\n${stdout.toString()}${stderr.toString()}`);
  return stdout.toString();
}
