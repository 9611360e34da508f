import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Paths } from "../home.ts";
import { keptCommand } from "./kept-program.ts";
import { makePrivateDir } from "../file/private-dir.ts";
import { selfCommand } from "../self-command.ts";
import { shellQuote } from "../shell-quote.ts";
import { writeAtomic } from "../file/atomic-file.ts";

/** Contract: `paths.program` starts this Parley with this home; a hook finds nothing wrong when Parley was deleted. */
export async function writeLauncher(paths: Paths, command = keptCommand(paths)): Promise<void> {
  // In a container it was put there from outside.
  if (process.env["PARLEY_SANDBOX"] === "container") return;
  const text = launcher(paths.home, command);
  if (existsSync(paths.program) && readFileSync(paths.program, "utf8") === text) return;
  makePrivateDir(dirname(paths.program));
  await writeAtomic(paths.program, text, { mode: 0o700, own: true });
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
