import { afterEach, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import type { AskView } from "../../src/protocol/view.ts";
import { createPilot, type Pilot, stateIs } from "./autopilot-stage.ts";
import { createSession, ended, hook, type Session } from "./hook-stage.ts";

let pilot: Pilot;
afterEach(() => pilot.dispose());
const HANDBOOK = `
[autopilot]
mode = "on"
trust.per_rule = 0
undo_seconds = 600
[[autopilot.rules]]
name = "go-on"
match = { category = "confirmation" }
choose = "affirmative"
`;
const VERIFYING = "a yes while verifying would claim what nobody looked at";
const input = {
  questions: [
    {
      question: "Does the search work as expected?",
      header: "Login",
      multiSelect: false,
      options: [
        { label: "Yes", description: "" },
        { label: "No", description: "" },
      ],
    },
  ],
};
const line = (type: string, content: unknown) => JSON.stringify({ type, message: { role: type, content } });
const command = (name: string) =>
  line("user", `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>`);
const work = (kib: number) =>
  Array.from({ length: kib }, () => line("assistant", [{ type: "text", text: "The page is good. ".repeat(55) }])).join(
    "\n",
  );
const call = (key: string) => line("assistant", [{ type: "tool_use", id: key, name: "AskUserQuestion", input }]);

async function asks(session: Session, key = "toolu_login", more: object = {}): Promise<void> {
  session.append(call(key));
  const payload = { ...session.payload("PreToolUse", 0, { key }), tool_input: input, ...more };
  expect((await ended(hook(pilot.program, payload))).code).toBe(0);
}
const decided = (session: Session): Promise<AskView> =>
  session.ask(({ autopilot }) => autopilot !== undefined && autopilot.state !== "asking");
const explained = async ({ id }: AskView) => (await pilot.program.parley(["explain", id])).out.replace(/\s+/g, " ");

test("[LX4] no yes is given while work is verified, however long ago that was begun and though no daemon saw it", async () => {
  pilot = createPilot(HANDBOOK);
  await pilot.program.start();
  const session = createSession(pilot.program, "single-select");
  session.append(command("gsd:verify-work"));
  session.append(work(400));
  await asks(session);
  const ask = await decided(session);
  expect([ask.origin.command, ask.autopilot?.state, ask.outcome]).toEqual(["/gsd:verify-work", "human", undefined]);
  expect(await explained(ask)).toContain(VERIFYING);
});

test("[LX5] the command is remembered over a restart, a compaction and another record of the same session", async () => {
  pilot = createPilot(HANDBOOK);
  await pilot.program.start();
  const session = createSession(pilot.program, "single-select");
  session.append(command("gsd:verify-work"));
  session.append(work(300));
  await asks(session);
  await decided(session);
  await pilot.program.kill9();
  renameSync(session.transcript, `${session.transcript}.old`);
  writeFileSync(session.transcript, `${command("compact")}\n${line("user", "The work so far: the cart is built.")}\n`);
  session.append(work(300));
  await pilot.program.start();
  await asks(session, "toolu_again", { prompt_id: "another turn" });
  const { asks: all } = await pilot.program.client().call("listAsks", { query: { state: "all", session: session.id } });
  const newest = all.find(({ deliveries }) => deliveries.some(({ key }) => key === "toolu_again"));
  const ask = await pilot.becomes(String(newest?.id), stateIs("human"));
  expect(ask.origin.command).toBe("/gsd:verify-work");
  expect(await explained(ask)).toContain(VERIFYING);
});

test("[LX6] a subagent's question, and one whose call never reaches the record, follow the command of their session", async () => {
  pilot = createPilot(HANDBOOK);
  await pilot.program.start();
  for (const more of [{ agent_id: "a1", agent_type: "general-purpose" }, {}]) {
    const session = createSession(pilot.program, "single-select");
    session.append(command("gsd:verify-work"));
    session.append(work(300));
    const payload = { ...session.payload("PreToolUse", 0, { key: "toolu_unseen" }), tool_input: input, ...more };
    await ended(hook(pilot.program, payload));
    const ask = await decided(session);
    expect([ask.origin.command, ask.autopilot?.state]).toEqual(["/gsd:verify-work", "human"]);
    expect(await explained(ask)).toContain(VERIFYING);
  }
});

test("[LX4] a command that came after ends the phase", async () => {
  pilot = createPilot(HANDBOOK);
  await pilot.program.start();
  const session = createSession(pilot.program, "single-select");
  session.append(command("gsd:verify-work"));
  session.append(work(400));
  session.append(command("gsd:execute-phase"));
  await asks(session);
  const ask = await decided(session);
  expect([ask.origin.command, ask.autopilot?.state]).toEqual(["/gsd:execute-phase", "held"]);
});
