import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUN_COMMAND, type Program } from "../e2e/program.ts";
import { writeWhole } from "../whole-file.ts";

/** Writes a program there that is the real one, of this home, with a clock that can be set. */
export function writeShifted({ home }: Program, launcher: string): void {
  const [bun = "", ...rest] = BUN_COMMAND;
  const command = [bun, `--preload=${join(import.meta.dir, "shifted-clock.ts")}`, ...rest].map((part) => `'${part}'`);
  const env = `PARLEY_HOME='${home}' PARLEY_PARENT=$PPID`;
  writeFileSync(launcher, `#!/bin/sh\n${env} exec ${command.join(" ")} "$@"\n`);
  chmodSync(launcher, 0o700);
}

/** Of everything that was started with it, from now on. */
export const setClock = ({ root }: Program, ms: number): void => writeWhole(join(root, "clock"), String(ms));
