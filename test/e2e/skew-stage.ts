import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUN_COMMAND, type Program, type Ran, UNTIL_STARTED } from "./program.ts";

const repository = join(import.meta.dir, "../..");
export const VERSION = (JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string })
  .version;

/** Another installation of Parley in a folder of its own, with another version, for the same home. */
export function installOther(program: Program, version: string) {
  const tree = join(program.root, `parley-${version}`);
  mkdirSync(tree);
  cpSync(join(repository, "src"), join(tree, "src"), {
    recursive: true,
    filter: (path) => !path.includes("/fixtures/"),
  });
  const about = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as object;
  writeFileSync(join(tree, "package.json"), JSON.stringify({ ...about, version }));
  symlinkSync(join(repository, "node_modules"), join(tree, "node_modules"));
  const command = [...BUN_COMMAND.slice(0, -1), join(tree, "src/main.ts")];
  return {
    async parley(...args: string[]): Promise<Ran> {
      const { home, user } = program;
      const own = { PATH: process.env["PATH"] ?? "", HOME: user, LANG: "C.UTF-8", PARLEY_HOME: home, PARLEY_PORT: "0" };
      const env = { ...own, ...UNTIL_STARTED };
      const child = Bun.spawn([...command, ...args], { cwd: user, env, stdio: ["ignore", "pipe", "pipe"] });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, out, err };
    },
  };
}
