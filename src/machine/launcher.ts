import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Paths } from "./home.ts";
import { makePrivateDir } from "./private-dir.ts";
import { shellQuote } from "./shell-quote.ts";
import { writeAtomic } from "./atomic-file.ts";

/**
 * What keeps Bun deaf to the directory it is started in. A `paths` entry for `*` in a tsconfig.json there would replace
 * the program itself (seen in 1.4.4).
 */
const DEAF = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];

/** The command line that starts this very Parley again; the one of the package, where only its library runs. */
export function selfCommand(): string[] {
  const here = fileURLToPath(import.meta.url);
  if (here.startsWith("/$bunfs") || here.startsWith("B:\\~BUN")) return [process.execPath];
  if (here.endsWith("/machine/launcher.js")) return [join(dirname(here), "../../../bin/parley")];
  const fromSource = here.endsWith("/machine/launcher.ts");
  return [process.execPath, ...DEAF, join(dirname(here), fromSource ? "../main.ts" : "main.js")];
}

/** Contract: `paths.program` starts this Parley with this home; a hook finds nothing wrong when Parley was deleted. */
export async function writeLauncher(paths: Paths, command = selfCommand()): Promise<void> {
  // In a container it was put there from outside.
  if (process.env["PARLEY_SANDBOX"] === "container") return;
  const text = launcher(paths.home, command);
  if (existsSync(paths.program) && readFileSync(paths.program, "utf8") === text) return;
  makePrivateDir(dirname(paths.program));
  await writeAtomic(paths.program, text, { mode: 0o700, own: true });
}

/** What has to be readable so that `selfCommand` runs: its runtime, its source, and the packages around it. */
export function programFiles(): string[] {
  const here = fileURLToPath(import.meta.url);
  const root = here.endsWith("/machine/launcher.ts") ? join(dirname(here), "../..") : undefined;
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

/**
 * The same for a container, wherever it is mounted there: this Parley where its files are seen in there too, else the one
 * of the image. It starts no daemon: that runs outside.
 */
export function containerLauncher(command: string[] = selfCommand()): string {
  const seen = command
    .filter((part) => part.startsWith("/") && part !== "/dev/null")
    .map((part) => `[ -e ${shellQuote(part)} ]`);
  return [
    "#!/bin/sh",
    "# Written by Parley outside of this container, called by agents' hooks in it.",
    "PARLEY_HOME=${0%/bin/parley}; PARLEY_SANDBOX=container; export PARLEY_HOME PARLEY_SANDBOX",
    "PARLEY_PARENT=$PPID; export PARLEY_PARENT",
    "unset BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_PRELOAD NODE_OPTIONS",
    `if ${seen.join(" && ")}; then exec ${command.map(shellQuote).join(" ")} "$@"; fi`,
    "found=$(command -v parley)",
    'if [ -n "$found" ] && [ "$found" != "$0" ]; then exec "$found" "$@"; fi',
    'if [ "$1" = hook ]; then exit 0; fi',
    'echo "parley: not in this container: install it, or mount it from outside (parley container --help)" >&2; exit 127',
    "",
  ].join("\n");
}

/** What `paths.program` says; with another home, for who sees another one. */
export function launcher(home: string, command: string[] = selfCommand()): string {
  const files = command.filter((part) => part.startsWith("/"));
  return [
    "#!/bin/sh",
    "# Written by Parley, called by agents' hooks and by you. Points at the Parley that ran last.",
    `PARLEY_HOME=${shellQuote(home)}; export PARLEY_HOME`,
    "PARLEY_PARENT=$PPID; export PARLEY_PARENT",
    "unset BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_PRELOAD NODE_OPTIONS",
    `for file in ${files.map(shellQuote).join(" ")}; do`,
    `  if [ ! -e "$file" ]; then`,
    `    if [ "$1" = hook ]; then exit 0; fi`,
    `    echo "parley: $file is gone; start Parley again from where it is now" >&2; exit 127`,
    "  fi",
    "done",
    `exec ${command.map(shellQuote).join(" ")} "$@"`,
    "",
  ].join("\n");
}
