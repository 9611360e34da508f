import type { ScannedAsk } from "../../../../agents/scan.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { counted } from "../../../../core/words/number.ts";
import { defineCommand } from "../../command-line/define.ts";
import { scanBytes } from "../../scan/scan-bytes.ts";
import { bytesOf, filesIn, isMuch, sizesOf } from "../../scan/scan-files.ts";
import { printJson, printWords } from "../../scan/scan-words.ts";

export const command = defineCommand({
  usage: ["<file or folder>… [options]", "- [options]"],
  about:
    "Which questions an agent asked and how each was answered, read from its own record: a transcript (~/.claude/projects/…/<session>.jsonl) or what a headless run printed (--output-format stream-json). Of a folder every .jsonl and .ndjson is read, with - standard input, as it comes. Needs no daemon, changes nothing.",
  options: {
    open: { description: "only questions without an answer" },
    json: { description: "one JSON object a line" },
  },
  positionals: { paths: { repeatable: true, of: "file" } },
  needs: "Give a file, or - for standard input",
  notes: "Exit codes: 1 a file could not be read · 3 no question was found",
  async run({ paths, open: openOnly, json }, { terminal }) {
    const files = [];
    for (const path of paths) files.push(...(await filesIn(path)));
    const print = json ? printJson(terminal) : printWords(terminal, files.length > 1);
    const seen = { asked: 0, open: 0, unread: 0 };
    const sizes = sizesOf(files);
    const two = isMuch(sizes) ? await import("../../scan/scan-ahead.ts") : undefined;
    const ahead = two?.startAhead(files, sizes);
    for (const [i, path] of files.entries()) {
      const chunks = (needsAll: () => boolean) =>
        two && ahead && sizes[i] ? two.wantedBytesOf(path, i, ahead, needsAll) : bytesOf(path);
      const found = (ask: ScannedAsk) => {
        seen.asked += ask.questions.length;
        if (!ask.outcome) seen.open += ask.questions.length;
        if (!openOnly || !ask.outcome) print(ask, path);
      };
      const skipped = await scanBytes(chunks, found).catch((error: unknown) => {
        // One of many that cannot be read does not hide what the others hold.
        if (files.length === 1 || !(error instanceof ParleyError)) throw error;
        terminal.err(`${terminal.errStyle.red("✗")} ${safeLine(error.message)}\n`);
        seen.unread += 1;
        return 0;
      });
      if (skipped > 0) terminal.err(`${safeLine(path)}: ${counted(skipped, "line")} over 64 MB left out\n`);
    }
    if (!json) terminal.err(terminal.errStyle.dim(summary(seen, files.length)));
    if (seen.unread > 0) return 1;
    return seen.asked > 0 ? 0 : 3;
  },
});

function summary({ asked, open }: { asked: number; open: number }, files: number): string {
  const where = files === 1 ? "" : ` in ${counted(files, "file")}`;
  if (asked === 0) return `No question was found${where}.\n`;
  return `${counted(asked, "question")}${where}, ${open === 0 ? "all ended" : `${open} without an answer`}.\n`;
}
