import { homedir, hostname, userInfo } from "node:os";
import { shortId } from "../../../../core/id.ts";
import { escapeControls } from "../../../../core/text/json-line.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { gather } from "../../evidence.ts";
import { jsonLine } from "../../json.ts";
import { redact } from "../../redact.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about:
    "Writes what `parley why` knows into one file that you can send: paths, names and all words of questions, answers and commands are replaced by their length and a short digest, so that equal texts stay equal. Look at it before you send it.",
  options: {
    "with-text": { description: "keep the words; replace only home folder, user and machine name" },
    out: { value: "FILE", of: "file", description: "where to write it (parley-report-<id>.json)" },
  },
  positionals: { id: { of: "ask" } },
  needs: "Give one id: parley bug-report <id>",
  async run({ id, json, out, "with-text": keepText }, context) {
    const { terminal, version } = context;
    const evidence = await gather(id, context);
    const how = {
      names: { [homedir()]: "~", [userInfo().username]: "<user>", [hostname()]: "<host>" },
      keepText,
      salt: crypto.randomUUID(),
    };
    const report = {
      parley: version,
      bun: Bun.version,
      platform: `${process.platform} ${process.arch}`,
      ...evidence,
      record: evidence.record.map(parsed),
    };
    const file = out ?? `parley-report-${shortId(evidence.ask.id)}.json`;
    await Bun.write(file, `${escapeControls(JSON.stringify(redact(report, how), null, 2))}\n`);
    terminal.out(json ? jsonLine({ file }) : `Wrote ${safeLine(file)}. Look at it before you send it.\n`);
    return 0;
  },
});

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return `unreadable line of ${line.length} characters`;
  }
}
