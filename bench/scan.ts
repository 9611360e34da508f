// How fast `parley scan` reads a long record, beside programs that parse every line of it.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type Part, type Row } from "./row.ts";
import { BUN, buildInstalled, INSTALLED, ROOT, SOURCE } from "./stage.ts";

const MEGABYTES = 200;
const ROUNDS = 5;
const TIMES_PARSING = 6;
/** Of a working session: most lines are what tools returned and the agent said; one in so many is a question. */
const LINES_A_QUESTION = 500;
const LONGEST_RESULT = 8000;

/** The plainest program that finds the same lines: it parses all of them. */
const PARSE_ALL = `
import { createInterface } from "node:readline";
import { createReadStream } from "node:fs";
let found = 0;
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  let value;
  try { value = JSON.parse(line); } catch { continue; }
  const content = value.message?.content;
  if (Array.isArray(content) && content.some((block) => block.name === "AskUserQuestion")) found += 1;
}
console.log(found);
`;
const JQ = '.message.content? | arrays | .[]? | objects | select(.name? == "AskUserQuestion") | .id';

export const scan: Part = {
  name: "scan",
  about: `questions in a record of ${MEGABYTES} MB`,
  notes: [
    `Scan: a transcript of ${MEGABYTES} MB made of recorded lines, with tool results of up to ${LONGEST_RESULT / 1000} KB between them and a question with its answer every ${LINES_A_QUESTION} lines; wall time of the whole process, as npm installs it, the median of ${ROUNDS} rounds taken in turns, the file in the page cache. The others only find the questions; \`parley scan\` also says how each was answered.`,
  ],
  async run(say) {
    const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
    try {
      say("making the record");
      buildInstalled();
      const [file, parseAll] = [join(root, "session.jsonl"), join(root, "parse-all.ts")];
      const questions = makeRecord(file);
      writeFileSync(parseAll, PARSE_ALL);
      const size = statSync(file).size;
      const contenders = new Map([
        ["scan", [...INSTALLED, "scan", file, "--json"]],
        ["JSON.parse of every line", [...BUN, parseAll, file]],
        ["from source", [...SOURCE, "scan", file, "--json"]],
        ...(Bun.which("jq") ? [["jq", ["jq", "-c", JQ, file]] as [string, string[]]] : []),
      ]);
      const times = inTurns(contenders, questions, say);
      const speed = (name: string) => size / 1e6 / (median(times.get(name) ?? []) / 1000);
      const peers = [...contenders.keys()].slice(1);
      const shown = (name: string) => `${speed(name).toFixed(0)} MB/s`;
      return [
        {
          what: `\`parley scan\`, ${questions.toLocaleString("en")} questions in ${(size / 1e6).toFixed(0)} MB`,
          measured: shown("scan"),
          beside: peers.map((name) => `${name}: ${shown(name)}`).join(" · "),
          aim: `≥ ${TIMES_PARSING} × JSON.parse`,
          met: speed("scan") >= TIMES_PARSING * speed("JSON.parse of every line"),
        } satisfies Row,
      ];
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

/** Answers how many questions are in it. */
function makeRecord(path: string): number {
  const recorded = join(ROOT, "src/agents/claude-code/fixtures/2.1.325/single-select/transcript.jsonl");
  const lines = readFileSync(recorded, "utf8").split("\n").filter(Boolean);
  const [asking = "", answer = ""] = ["AskUserQuestion", "toolUseResult"].map((mark) =>
    lines.find((line) => line.includes(mark) && line.includes("toolu_ask")),
  );
  const file = openSync(path, "w");
  let [size, questions] = [0, 0];
  for (let n = 0; size < MEGABYTES * 1e6; n++) {
    const isQuestion = n % LINES_A_QUESTION === 0;
    if (isQuestion) questions += 1;
    size += writeSync(file, isQuestion ? named(`${asking}\n${answer}\n`, n) : `${work(n)}\n`);
  }
  closeSync(file);
  return questions;
}

const named = (text: string, n: number) => text.replaceAll("toolu_ask", `toolu_ask_${n}`);

function work(n: number): string {
  const common = { sessionId: "bench", uuid: `line-${n}`, timestamp: "2026-11-15T10:57:11.559Z", version: "2.1.325" };
  const id = `toolu_work_${n >> 1}`;
  if (n % 2 === 0)
    return JSON.stringify({
      ...common,
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "Bash", input: { command: `rg -n "part ${n}"` } }],
      },
    });
  const text = 'src/a.ts:12: const value = "quoted";\n'.repeat(((n * 7919) % LONGEST_RESULT) / 37);
  return JSON.stringify({
    ...common,
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
    toolUseResult: { stdout: text, stderr: "" },
  });
}

function inTurns(contenders: Map<string, string[]>, questions: number, say: (progress: string) => void) {
  const times = new Map([...contenders.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, command] of contenders) {
      say(`round ${round + 1} of ${ROUNDS}: ${name}`);
      const since = performance.now();
      const { exitCode, stdout, stderr } = Bun.spawnSync(command, { maxBuffer: 1e9 });
      times.get(name)?.push(performance.now() - since);
      const lines = stdout.toString().trim().split("\n");
      const found =
        lines.length === 1 ? Number(lines[0]) : lines.filter((line) => !line.includes('"outcome":null')).length;
      if (exitCode !== 0 || found !== questions)
        throw new Error(`${name}: ${found} of ${questions} questions\n${stderr.toString()}`);
    }
  return times;
}
