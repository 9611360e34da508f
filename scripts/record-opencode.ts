// Records what a real opencode says of questions and permissions into src/agents/opencode/fixtures.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScriptedModel, type Say } from "../src/lab/model.ts";
import { createOpencodeLab } from "../src/agents/opencode/lab/opencode-lab.ts";
import { waitForInput, waitForPermission, waitForQuestion } from "../src/agents/opencode/lab/screen.ts";
import { poll } from "../src/lab/poll.ts";
import { createFakeParley } from "../test/agents/opencode-link.ts";
import { opencodeProgram, question } from "../test/agents/opencode-stage.ts";

const database = question("Which database should I use?", ["PostgreSQL", "SQLite, embedded"]);
const features = question("Which features should be enabled?", ["Auth", "Billing", "Search"], { multiple: true });

type Stage = Awaited<ReturnType<typeof open>>;
type Case = { say: Say; settle(stage: Stage, id: string): Promise<unknown>; shows: "question" | "permission" };

const asks = (questions: unknown[], settle: Case["settle"]): Case => ({
  say: { tool: "question", input: { questions } },
  settle,
  shows: "question",
});
const needs = (say: { tool: string; input: Record<string, unknown> }, body: object): Case => ({
  say,
  settle: ({ parley }, id) => parley.request("POST", `/permission/${id}/reply`, body),
  shows: "permission",
});
const bash = (command: string) => ({ tool: "bash", input: { command, description: "Works in the lab" } });
const replies =
  (answers: string[][]): Case["settle"] =>
  ({ parley }, id) =>
    parley.request("POST", `/question/${id}/reply`, { answers });

/** In this order, in one session: after `killed` there is none. */
const CASES: Record<string, Case> = {
  "answered-outside": asks([database], replies([["SQLite, embedded"]])),
  "form-outside": asks(
    [database, features],
    replies([["SQLite, embedded"], ["Auth", "Search", "my own, words", "[note] keep it small"]]),
  ),
  unanswered: asks([database], replies([[]])),
  "answered-terminal": asks([database], ({ lab }) => lab.tmux.keys("Enter")),
  dismissed: asks([database], ({ lab }) => lab.tmux.keys("Escape")),
  "permission-once": needs(bash("cd . && echo once > once.txt"), { reply: "once" }),
  "permission-rejected-with-words": needs(bash("touch a.txt"), { reply: "reject", message: "Use mktemp instead" }),
  "permission-rejected": needs(bash("touch b.txt"), { reply: "reject" }),
  "permission-edit": needs({ tool: "write", input: { filePath: "new.txt", content: "one\ntwo\n" } }, { reply: "once" }),
  "permission-always": needs(bash("touch c.txt"), { reply: "always" }),
  aborted: asks([database], ({ parley, session }) => parley.request("POST", `/session/${session()}/abort`)),
  killed: asks([database], ({ lab }) => lab.kill()),
};

const [version, ...only] = process.argv.slice(2);
if (version === undefined) {
  console.error("usage: bun scripts/record-opencode.ts <version> [case …]");
  process.exit(2);
}
const stage = await open(version);
try {
  for (const [name, recorded] of Object.entries(CASES))
    if (only.length === 0 || only.includes(name)) await record(stage, name, recorded);
} finally {
  await stage.close();
}

async function open(of: string) {
  const script = Object.fromEntries(
    Object.entries(CASES).map(([name, { say }]) => [name, [{ ...say, id: `call_${name}` }]]),
  );
  const model = createScriptedModel({ script });
  const parley = createFakeParley();
  const config = { permission: { bash: "ask", edit: "ask" } };
  const program = opencodeProgram(of);
  const lab = await createOpencodeLab({ program, version: of, model, config, plugins: [parley.plugin] });
  const session = () =>
    String(parley.carried.find(({ event }) => event.type === "question.asked")?.event.properties["sessionID"]);
  const close = async () => {
    await lab.close();
    await model.close();
    await parley[Symbol.asyncDispose]();
  };
  return { lab, model, parley, session, close };
}

async function record({ lab, parley, ...rest }: Stage, name: string, { shows, settle }: Case): Promise<void> {
  const from = parley.carried.length;
  const [part, isLast] = [() => partOf({ lab, parley, ...rest }, `call_${name}`), name === "killed"];
  await lab.prompt(`SCENARIO:${name} please`);
  await (shows === "question"
    ? waitForQuestion(lab.tmux, "Which database should I use?")
    : waitForPermission(lab.tmux));
  const isIt = ({ tool }: Record<string, unknown>) => (tool as { callID: string }).callID === `call_${name}`;
  const asked = await parley.waitFor(`${shows}.asked`, isIt);
  const pending = {
    question: (await parley.request("GET", "/question")).body,
    permission: (await parley.request("GET", "/permission")).body,
  };
  const before = isLast ? await part() : undefined;
  await settle({ lab, parley, ...rest }, String(asked.event.properties["id"]));
  const idle = () => parley.carried.slice(from).find(({ event }) => event.type === "session.idle");
  if (!isLast) await poll(idle, { failure: () => `${name}: the turn did not end` });
  // After an abort the dialog stays, and its question in the list: a ghost that takes any answer.
  if (name === "aborted") await parley.request("POST", `/question/${String(asked.event.properties["id"])}/reject`);
  if (!isLast) await waitForInput(lab.tmux);
  const ended = before ?? (await part());
  const text = (value: unknown, space?: number) => JSON.stringify(value, null, space).replaceAll(lab.home, "/home/dev");
  const to = join(import.meta.dir, "../src/agents/opencode/fixtures", version ?? "", name);
  mkdirSync(to, { recursive: true });
  writeFileSync(
    join(to, "events.jsonl"),
    parley.carried
      .slice(from)
      .map((line) => `${text(line)}\n`)
      .join(""),
  );
  writeFileSync(join(to, "pending.json"), `${text(pending, 2)}\n`);
  writeFileSync(join(to, "part.json"), `${text(ended ?? null, 2)}\n`);
  console.log(
    version,
    name,
    parley.carried
      .slice(from)
      .map(({ event }) => event.type)
      .join(" "),
  );
}

async function partOf({ parley, session }: Stage, key: string): Promise<unknown> {
  const { body } = await parley.request("GET", `/session/${session()}/message`);
  const messages = body as { parts: { callID?: string }[] }[];
  return messages.flatMap(({ parts }) => parts).find((part) => part.callID === key);
}
