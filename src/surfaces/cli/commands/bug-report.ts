import { parseArgs } from "node:util";
import { homedir, hostname, userInfo } from "node:os";
import { shortId } from "../../../core/id.ts";
import { escapeControls } from "../../../core/text/json-line.ts";
import { safeLine } from "../../../core/text/text.ts";
import { gather } from "../evidence.ts";
import { jsonLine } from "../json.ts";
import { redact } from "../redact.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley bug-report <id> [--with-text] [--out FILE] [--json]

Writes what \`parley why\` knows into one file that you can send: paths, names and
all words of questions, answers and commands are replaced by their length and a
short digest, so that equal texts stay equal. Look at it before you send it.

  --with-text   keep the words; replace only home folder, user and machine name
  --out FILE    where to write it (parley-report-<id>.json)
`;

export const bugReport: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "with-text": { type: "boolean" },
      out: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { terminal, version } = context;
  if (values.help) return (terminal.out(HELP), 0);
  const evidence = await gather(positionals[0], "bug-report", context);
  const how = {
    names: { [homedir()]: "~", [userInfo().username]: "<user>", [hostname()]: "<host>" },
    keepText: values["with-text"] ?? false,
    salt: crypto.randomUUID(),
  };
  const report = {
    parley: version,
    bun: Bun.version,
    platform: `${process.platform} ${process.arch}`,
    ...evidence,
    record: evidence.record.map(parsed),
  };
  const file = values.out ?? `parley-report-${shortId(evidence.ask.id)}.json`;
  await Bun.write(file, `${escapeControls(JSON.stringify(redact(report, how), null, 2))}\n`);
  terminal.out(values.json ? jsonLine({ file }) : `Wrote ${safeLine(file)}. Look at it before you send it.\n`);
  return 0;
};

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return `unreadable line of ${line.length} characters`;
  }
}
