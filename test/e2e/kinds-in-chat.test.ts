import { expect, test } from "bun:test";
import type { Task } from "../../src/core/task/task.ts";
import { addressQuestions, formQuestions } from "../../src/core/elicitation/form-questions.ts";
import {
  budget,
  dead,
  type Escalation,
  failed,
  gate,
  idle,
  nextStep,
  review,
} from "../../src/runner/ended/escalate.ts";
import { ANN, ANN_SLACK, type Asking, createThreeStage, offered } from "../messengers/three-stage.ts";
import { buttonIn, textIn } from "../messengers/slack-stage.ts";
import { eventually } from "../patience.ts";
import { database, features, question } from "../sample.ts";

const task = { order: { name: "Tests", gate: "npm test" }, usage: { costUsd: 2 }, budgetUsd: 2, said: "" } as Task;
const escalated = ({ kind, question: asked }: Escalation): Asking => ({
  kind,
  questions: [asked],
  task: true,
  channel: "self",
});
const form = (properties: object, required: string[] = []): Asking => ({
  kind: "elicitation",
  ...(formQuestions({ server: "tickets", message: "A ticket?", schema: { type: "object", properties, required } }) ?? {
    questions: [],
  }),
});
const leave = (text: string, body: string) => ({
  ...question(text, []),
  body,
  options: [
    { label: "Approve", description: "", recommended: false, effect: "allow" },
    { label: "Deny", description: "", recommended: false, effect: "deny" },
  ],
});
const WORDS = "Own words, note…";
const FORM = ["Answer…"];

/** What is asked; and what the chat, the channel and the phone offer. */
const TABLE: [string, Asking, { telegram: unknown; slack: unknown; push: unknown }][] = [
  [
    "a question",
    { questions: [database] },
    {
      telegram: ["1. SQLite", "2. Postgres"],
      slack: ["1. SQLite", "2. Postgres", WORDS],
      push: ["SQLite", "Postgres"],
    },
  ],
  [
    "one with something at stake",
    { questions: [question("Delete the production database?", ["Yes", "No"])] },
    { telegram: ["1. Yes", "2. No"], slack: FORM, push: "opens" },
  ],
  [
    "several choices",
    { questions: [features] },
    {
      telegram: ["☐ 1. Auth", "☐ 2. A, B", "☐ 3. Export", "Done"],
      slack: ["multi_static_select", "Done", WORDS],
      push: "opens",
    },
  ],
  [
    "several questions",
    { questions: [database, features] },
    { telegram: ["1. SQLite", "2. Postgres"], slack: FORM, push: "opens" },
  ],
  ["own words only", { questions: [question("Which name?", [])] }, { telegram: [], slack: FORM, push: "opens" }],
  [
    "one that only a terminal can answer",
    { questions: [database], channel: "none" },
    { telegram: "elsewhere", slack: "elsewhere", push: [] },
  ],
  [
    "a session that waits for a prompt",
    { kind: "idle", questions: [question("Finished. What now?", [])], channel: "none" },
    { telegram: "elsewhere", slack: "elsewhere", push: [] },
  ],
  [
    "an approval",
    { kind: "approval", questions: [leave("Run it?", "npm test")] },
    { telegram: "elsewhere", slack: "elsewhere", push: "opens" },
  ],
  [
    "a plan",
    { kind: "plan", questions: [leave("Go on?", "1. Do it")] },
    { telegram: "elsewhere", slack: "elsewhere", push: "opens" },
  ],
  [
    "a task that stopped",
    escalated(idle(task, "I am done?")),
    { telegram: ["1. Go on", "2. Done"], slack: ["1. Go on", "2. Done", WORDS], push: "opens" },
  ],
  [
    "a task that died",
    escalated(dead(task, "oops", true)),
    { telegram: ["1. Resume", "2. Retry"], slack: ["1. Resume", "2. Retry", WORDS], push: "opens" },
  ],
  [
    "a task that failed",
    escalated(failed(task, "429", { kind: "rate limit" } as never, "in 5 minutes")),
    { telegram: ["1. Wait and resume", "2. Retry"], slack: ["1. Wait and resume", "2. Retry", WORDS], push: "opens" },
  ],
  [
    "a task whose check failed",
    escalated(gate(task)),
    {
      telegram: ["1. Send to the agent", "2. Accept"],
      slack: ["1. Send to the agent", "2. Accept", WORDS],
      push: "opens",
    },
  ],
  [
    "a task without money",
    escalated(budget(task, 2)),
    { telegram: ["1. Allow more", "2. Done"], slack: FORM, push: "opens" },
  ],
  [
    "a task to be reviewed",
    escalated(review(task)),
    { telegram: ["1. Accept"], slack: ["1. Accept", WORDS], push: "opens" },
  ],
  [
    "a next step",
    escalated(nextStep(task, { command: "/plan 2", phase: "plan" } as never)),
    { telegram: ["1. Go on", "2. Done"], slack: ["1. Go on", "2. Done", WORDS], push: "opens" },
  ],
  [
    "a form with a choice",
    form({ size: { type: "string", enum: ["small", "large"] } }, ["size"]),
    { telegram: ["1. small", "2. large"], slack: FORM, push: "opens" },
  ],
  [
    "a form with a text that may be empty",
    form({ title: { type: "string" } }),
    { telegram: ["Leave it empty"], slack: FORM, push: "opens" },
  ],
  [
    "a form with a secret",
    form({ password: { type: "string" } }, ["password"]),
    { telegram: "elsewhere", slack: "elsewhere", push: "opens" },
  ],
  [
    "an address to be opened",
    { kind: "elicitation", questions: addressQuestions({ server: "s", message: "Sign in", url: "https://x.test/" }) },
    { telegram: "elsewhere", slack: "elsewhere", push: "opens" },
  ],
];

test("[RE1] every kind of question on every messenger: what can be answered there is offered, else it says where", async () => {
  await using three = await createThreeStage();
  const found: unknown[] = [];
  for (const [name, asking] of TABLE) {
    const ask = await three.ask(asking);
    const seen = await three.seen(ask);
    found.push([name, offered(seen)]);
    // Whatever is made up in its place settles nothing that was not offered.
    if (seen.push.actions.length === 0) expect(await three.press(seen.push, 0)).toMatchObject({ state: "refused" });
    expect(await three.outcome(ask)).toBeUndefined();
  }
  expect(found).toEqual(TABLE.map(([name, , wanted]) => [name, wanted]));
  expect(three.push.refused).toEqual([]);
});

test("[RE2] with buttons_for_approvals, an approval and a plan take a second step in a chat, and none is one tap on a phone", async () => {
  await using three = await createThreeStage({ approvals: true });
  const { telegram, slack } = three;
  const ask = await three.ask({ kind: "approval", questions: [leave("Run it?", "npm test")] });
  const seen = await three.seen(ask);
  expect(offered(seen)).toEqual({ telegram: ["1. Approve", "2. Deny"], slack: FORM, push: "opens" });
  // A button of an earlier Parley, or one that was made up.
  const forged = { type: "button", action_id: "press.0", value: `q.${ask.id}.1.p.0.0` };
  slack.press(ANN_SLACK, seen.slack.ts, forged);
  await eventually(() => expect(slack.whispers.at(-1)?.text).toContain("Something is at stake in it"));
  expect(await three.press(seen.push, 0)).toMatchObject({ state: "refused" });
  telegram.press(ANN, seen.telegram.id, "Approve");
  await eventually(() => expect(seen.telegram.buttons.map(({ text }) => text)).toEqual(["Send", "Start over"]));
  // What it is for is still to be seen, and nothing is settled.
  expect(seen.telegram.text).toContain("npm test");
  expect(seen.telegram.text).toContain("→ Approve");
  expect(await three.outcome(ask)).toBeUndefined();
  telegram.press(ANN, seen.telegram.id, "Start over");
  await eventually(() => expect(seen.telegram.text).not.toContain("→ Approve"));
  telegram.press(ANN, seen.telegram.id, "Deny");
  await eventually(() => expect(seen.telegram.text).toContain("→ Deny"));
  telegram.press(ANN, seen.telegram.id, "Send");
  await eventually(async () => expect(await three.outcome(ask)).toMatchObject({ answers: [{ picks: [1] }] }));

  const plan = await three.ask({ kind: "plan", questions: [leave("Go on?", "1. Drop the old table")] });
  const shown = await three.seen(plan);
  slack.press(ANN_SLACK, shown.slack.ts, buttonIn(shown.slack, "Answer…"));
  await eventually(() => expect(JSON.stringify(slack.views.at(-1)?.view)).toContain(plan.id));
  slack.submit(ANN_SLACK, { "0.pick": { selected_option: { value: "0" } } });
  await eventually(async () =>
    expect(await three.outcome(plan)).toMatchObject({ actor: { surface: "slack" }, answers: [{ picks: [0] }] }),
  );
});

test("[RE3] a form of a server is filled in step by step in a chat and at once in a channel; a wrong value is said at once", async () => {
  await using three = await createThreeStage();
  const { telegram, slack } = three;
  const asking = form(
    {
      email: { type: "string", format: "email", title: "E-mail" },
      count: { type: "integer", minimum: 1, maximum: 9, default: 3, title: "Count" },
      tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, title: "Tags" },
      fast: { type: "boolean", title: "Fast" },
    },
    ["email", "count"],
  );
  const ask = await three.ask(asking);
  const { telegram: shown } = await three.seen(ask);
  expect(shown.text).toContain("(1 of 4)");
  const said = (message: number) =>
    eventually(() => {
      const found = telegram.shown(ANN).find(({ replyTo }) => replyTo === message);
      if (!found) throw new Error("no reply");
      return found.text;
    });
  expect(await said(telegram.write(ANN, "nobody", { replyTo: shown.id }))).toBe("Not answered. Not an e-mail address.");
  telegram.write(ANN, "ann@example.com", { replyTo: shown.id });
  await eventually(() => expect(shown.buttons.map(({ text }) => text)).toEqual(["Keep: 3"]));
  expect(await said(telegram.write(ANN, "12", { replyTo: shown.id }))).toBe("Not answered. At most 9.");
  telegram.press(ANN, shown.id, "Keep: 3");
  await eventually(() => expect(shown.text).toContain("(3 of 4)"));
  expect(await said(telegram.write(ANN, "note: x", { replyTo: shown.id }))).toContain("Only values reach whoever asks");
  telegram.press(ANN, shown.id, "Leave it empty");
  await eventually(() => expect(shown.text).toContain("(4 of 4)"));
  telegram.press(ANN, shown.id, "1. Yes");
  await eventually(() => expect(shown.buttons.map(({ text }) => text)).toEqual(["Send", "Start over"]));
  expect(shown.text).toContain("→ nothing");
  telegram.press(ANN, shown.id, "Send");
  await eventually(async () =>
    expect(await three.outcome(ask)).toMatchObject({
      actor: { surface: "telegram", name: "Ann" },
      answers: [{ text: "ann@example.com" }, { text: "3" }, { picks: [] }, { picks: [0] }],
    }),
  );

  const other = await three.ask(asking);
  const { slack: posted } = await three.seen(other);
  slack.press(ANN_SLACK, posted.ts, buttonIn(posted, "Answer…"));
  await eventually(() => expect(JSON.stringify(slack.views.at(-1)?.view)).toContain(other.id));
  expect(JSON.stringify(slack.views.at(-1)?.view)).toContain(`"initial_value":"3"`);
  const submit = async (values: Record<string, object>) => {
    const id = slack.submit(ANN_SLACK, values as never);
    await eventually(() => expect(slack.acks.has(id)).toBe(true));
    return slack.acks.get(id)?.payload;
  };
  // Of those that may be empty nothing is said.
  expect(await submit({ "1.text": { value: "3" } })).toMatchObject({
    errors: { "0.text": "Choose, or write your own words" },
  });
  expect(await submit({ "0.text": { value: "a@b.example" }, "1.text": { value: "12" } })).toMatchObject({
    response_action: "errors",
    errors: { "0.text": "Not answered. Question 2: At most 9." },
  });
  expect(await submit({ "0.text": { value: "a@b.example" }, "1.text": { value: "4" } })).toBeUndefined();
  await eventually(() => expect(textIn(posted)).toContain("✓ Answered by ann (slack)"));
});

test("[RE17] a form whose own dialog has opened meanwhile: its messages say so and lose their buttons, and its end is marked there", async () => {
  await using three = await createThreeStage();
  const ask = await three.ask(form({ size: { type: "string", enum: ["small", "large"] } }, ["size"]));
  const { telegram: shown, slack: posted } = await three.seen(ask);
  expect(shown.buttons).not.toEqual([]);
  const old = buttonIn(posted, "Answer…");
  await three.stage.inbox.change(ask.id, () => [{ type: "ask.released", key: "k", reason: "own-dialog" } as never]);
  await eventually(() => expect(shown.text).toContain("Only the agent's own terminal"));
  expect(shown.buttons).toEqual([]);
  await eventually(() => expect(JSON.stringify(posted.blocks)).toContain("Only the agent's own terminal"));
  expect(JSON.stringify(posted.blocks)).not.toContain("Answer…");
  // Pressed before the message had changed.
  three.slack.press(ANN_SLACK, posted.ts, old);
  await eventually(() => expect(three.slack.whispers.at(-1)?.text).toContain("Only the agent's own terminal"));
  expect(await three.outcome(ask)).toBeUndefined();
  const outcome = { type: "declined", actor: { type: "person", surface: "terminal" }, at: three.stage.clock.now };
  await three.stage.inbox.change(ask.id, () => [{ type: "ask.ended", key: "k", outcome } as never]);
  await eventually(() => expect(shown.text).not.toContain("Only the agent's own terminal"));
  expect(shown.text).toMatch(/– /);
});
