import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import type { Paths } from "../../../machine/home.ts";
import { byteSize, counted } from "../../../core/words/number.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";

export type Contents = { bytes: number; asks: number; events: number; schema: number };
export type Backups = {
  saveBackup(paths: Paths, file: string, options: { force: boolean }): Promise<Contents>;
  saveToSend(paths: Paths): Promise<Contents & { file: string }>;
  inspectBackup(file: string): Contents;
  restoreBackup(paths: Paths, file: string): Promise<Contents & { before?: string }>;
};

const HELP = `Usage: parley backup [FILE | -] [--force] [--json]

Copies everything Parley keeps into one file, checked and safe on disk, whether
the daemon runs or not; nobody has to wait for it. Without FILE it goes to
parley-<time>.db here, with - to stdout. parley restore puts it back.

Not in it: tokens, settings, the hooks in your agents' settings, and what was
sent as a notification.

  --force   replace FILE if it is there
`;

export const backup: Command = async (args, { terminal, paths, backups }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { force: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  if (positionals.length > 1) throw new ParleyError("usage", "At most one file: parley backup [FILE | -]");
  const { saveBackup, saveToSend } = await backups();
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const name = positionals[0] ?? `parley-${time}.db`;
  if (name === "-") {
    if (terminal.isTty) throw new ParleyError("usage", "A database is no text for a terminal: parley backup - > FILE");
    return toStdout();
  }
  const file = resolve(terminal.cwd, name);
  const contents = await saveBackup(paths, file, { force: values.force ?? false });
  terminal.out(values.json ? jsonLine({ file, ...contents }) : `Saved ${inWords(contents)} to ${file}\n`);
  return 0;

  async function toStdout(): Promise<number> {
    const { file: copy, ...contents } = await saveToSend(paths);
    try {
      await Bun.write(Bun.stdout, Bun.file(copy));
      terminal.err(`Saved ${inWords(contents)}\n`);
      return 0;
    } finally {
      rmSync(copy, { force: true });
    }
  }
};

/** `12 questions, 80 events (64 KiB)` */
export function inWords({ asks, events, bytes }: Contents): string {
  return `${counted(asks, "question")}, ${counted(events, "event")} (${byteSize(bytes)})`;
}
