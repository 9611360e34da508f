import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { ParleyError } from "../../../../core/error.ts";
import type { Contents } from "../../context.ts";
import { byteSize, counted } from "../../../../core/words/number.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  usage: ["[<file> | -] [options]"],
  about:
    "Copies everything Parley keeps into one file, checked and safe on disk, whether the daemon runs or not; nobody has to wait for it. Without a file it goes to parley-<time>.db here, with - to standard output. `parley restore` puts it back.\n\nNot in it: tokens, settings, the hooks in your agents' settings, and what was sent as a notification.",
  options: { force: { description: "replace the file if it is there" } },
  positionals: { file: { optional: true, of: "file" } },
  needs: "At most one file: parley backup [FILE | -]",
  async run({ force, json, file: typed }, { terminal, paths, backups }) {
    const { saveBackup, saveToSend } = await backups();
    const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const name = typed ?? `parley-${time}.db`;
    if (name === "-") {
      if (terminal.isTty)
        throw new ParleyError("usage", "A database cannot be shown in a terminal: parley backup - > FILE");
      return toStdout();
    }
    const file = resolve(terminal.cwd, name);
    const contents = await saveBackup(paths, file, { force });
    terminal.out(json ? jsonLine({ file, ...contents }) : `Saved ${inWords(contents)} to ${file}\n`);
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
  },
});

/** `12 questions, 80 events (64 KiB)` */
export function inWords({ asks, events, bytes }: Contents): string {
  return `${counted(asks, "question")}, ${counted(events, "event")} (${byteSize(bytes)})`;
}
