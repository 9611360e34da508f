import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What keeps Bun deaf to the directory it is started in. A `paths` entry for `*` in a tsconfig.json there would replace
 * the program itself (seen in 1.4.4).
 */
export const DEAF = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];

/** The command line that starts this very Parley again; the one of the package, where only its library runs. */
export function selfCommand(): string[] {
  const here = fileURLToPath(import.meta.url);
  if (here.startsWith("/$bunfs") || here.startsWith("B:\\~BUN")) return [process.execPath];
  if (here.endsWith("/machine/self-command.js")) return [join(dirname(here), "../../../bin/parley")];
  const fromSource = here.endsWith("/machine/self-command.ts");
  return [process.execPath, ...DEAF, join(dirname(here), fromSource ? "../main.ts" : "main.js")];
}

/** What has to be readable so that `selfCommand` runs: its runtime, its source, and the packages around it. */
export function programFiles(): string[] {
  const here = fileURLToPath(import.meta.url);
  const root = here.endsWith("/machine/self-command.ts") ? join(dirname(here), "../..") : undefined;
  const packages = root?.endsWith(`/node_modules/${basename(root)}`) ? [dirname(root)] : [];
  const main = selfCommand()
    .slice(1)
    .filter((part) => part.startsWith("/") && existsSync(part));
  const parts =
    root === undefined
      ? main.map((file) => dirname(file))
      : ["src", "package.json", "node_modules"].map((name) => join(root, name));
  return [process.execPath, realpathSync(process.execPath), ...parts, ...packages].filter((path) => path !== "/dev");
}

/** The folder of a program that a package manager installed, which it may replace or clear away at any time. */
export function installedProgram(): string | undefined {
  const folder = programFolder();
  const root = join(folder, "../..");
  const isPackage = basename(folder) === "program" && basename(dirname(root)) === "node_modules";
  return isPackage && existsSync(join(folder, "main.js")) ? folder : undefined;
}

export const programFolder = (): string => dirname(fileURLToPath(import.meta.url));
