import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { parseArgs } from "node:util";
import { AGENTS } from "../../agents/agents.ts";
import { createScan, type ScannedAsk } from "../../agents/scan.ts";
import { describeAnswer } from "../../core/describe-answer.ts";
import { ParleyError } from "../../core/error.ts";
import { headerOf } from "../../core/header.ts";
import type { Question } from "../../core/question.ts";
import { safeLine } from "../../core/text.ts";
import { createLineCutter } from "../../machine/lines.ts";
import { hang } from "./columns.ts";
import { counted } from "./counting.ts";
import { jsonLine } from "./json.ts";
import type { Command } from "./run.ts";
import type { Terminal } from "./terminal.ts";

const HELP = `Usage: parley scan <file>… | -   [--open] [--json]

Which questions an agent asked and how each was answered, read from its own
record: a transcript (~/.claude/projects/…/<session>.jsonl) or what a headless
run printed (--output-format stream-json). Needs no daemon, changes nothing.

  -          read standard input, as it comes
  --open     only questions without an answer
  --json     one JSON object a line
Exit code 3 when no question was found.
`;
const CHUNK = 1024 * 1024;

export const scan: Command = async (args, { terminal }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { open: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  if (positionals.length === 0) throw new ParleyError("usage", "A file is needed, or - for standard input");
  const print = values.json ? printJson(terminal) : printWords(terminal);
  let found = 0;
  for (const path of positionals) {
    const skipped = await scanBytes(bytesOf(path), (ask) => {
      found += 1;
      if (!values.open || !ask.outcome) print(ask, path);
    });
    if (skipped > 0) terminal.err(`${safeLine(path)}: ${counted(skipped, "line")} over 64 MB left out\n`);
  }
  if (found > 0) return 0;
  if (!values.json) terminal.err("No question was found.\n");
  return 3;
};

/** Answers how many lines were too long to be read. */
async function scanBytes(chunks: AsyncIterable<Buffer>, found: (ask: ScannedAsk) => void): Promise<number> {
  const scans = AGENTS.map((agent) => createScan(agent, found));
  const lines = createLineCutter((line) => scans.forEach((each) => each.line(line)));
  for await (const chunk of chunks) lines.write(chunk);
  // The last line may be half written: what cannot be read of it says nothing.
  lines.end();
  for (const each of scans) each.end();
  return lines.skipped;
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  if (path === "-") {
    for await (const chunk of Bun.stdin.stream()) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return;
  }
  await using file = await openFile(path);
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new ParleyError("not_found", `There is no file ${path}`);
    throw new ParleyError("usage", `${path} cannot be read: ${code}`, { cause: error });
  }
}

function printWords({ out, style, width }: Terminal): (ask: ScannedAsk) => void {
  return ({ questions, outcome, at }) => {
    for (const [i, question] of questions.entries()) {
      const answer = outcome?.answers?.[i];
      const ended = answer ? describeAnswer(question, answer) || "nothing" : endOf(outcome);
      const when = at === undefined ? "" : style.dim(`  ${new Date(at).toISOString()}`);
      const text = `[${safeLine(headerOf(question), { max: 40 })}] ${safeLine(question.text, { max: 400 })}`;
      out(`${hang("? ", text, width).join("\n")}${i === 0 ? when : ""}\n`);
      const paint = answer ? style.green : style.yellow;
      out(`${hang("  → ", safeLine(ended, { max: 400 }), width, paint).join("\n")}\n`);
    }
  };
}

function endOf(outcome: ScannedAsk["outcome"]): string {
  if (!outcome) return "no answer in this record";
  return outcome.reason ? `${outcome.type}: ${outcome.reason}` : outcome.type;
}

/** In the agent's own field names, so that it can be compared with what the agent sent. */
function printJson({ out }: Terminal): (ask: ScannedAsk, file: string) => void {
  return ({ key, questions, at, outcome, text }, file) =>
    out(
      jsonLine({
        file,
        tool_use_id: key,
        ...(at !== undefined && { at: new Date(at).toISOString() }),
        questions: questions.map(inAgentsWords),
        outcome: outcome?.type ?? null,
        ...(outcome?.answers && { answers: outcome.answers }),
        ...(outcome?.reason !== undefined && { reason: outcome.reason }),
        ...(text !== undefined && { received: text }),
      }),
    );
}

const inAgentsWords = ({ text, header, options, multiSelect }: Question) => ({
  question: text,
  header,
  options: options.map(({ label, description, preview }) => ({
    label,
    description,
    ...(preview !== undefined && { preview }),
  })),
  multiSelect,
});
