import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, isSettled, type Pilot, RULE, stateIs } from "./autopilot-stage.ts";
import { createSession, ended } from "./hook-stage.ts";
import { holds } from "./program.ts";
import { isIn, isWaiting, openTaskScene } from "./task-scene.ts";

let pilot: Pilot;
beforeEach(() => {
  pilot = createPilot("");
});
afterEach(() => pilot.dispose());
const on = (more = "") => `[autopilot]\nmode = "on"\ntrust.per_rule = 0\n${more}\n`;
const LONG = "undo_seconds = 600";
const second = {
  actions: [{ action: "select", optionIndex: 1, label: "List" }],
  reason: "the roadmap says so",
  confidence: 0.8,
};
const ASK = `[[autopilot.rules]]\nname = "ask"\nbrain = "b"\n`;
const start = async (config: string) => {
  pilot.configure(config);
  await pilot.program.start();
};

test("[AU20] pause stops what is held and whoever thinks, at once and over a restart; resume goes on", async () => {
  const brain = pilot.brain("b", second, { gated: true });
  await start(
    on(LONG) + RULE + `[[autopilot.rules]]\nname = "ask"\nmatch = { header = "Think" }\nbrain = "b"\n${brain.toml}`,
  );
  const held = await pilot.ask();
  const asking = await pilot.ask({ header: "Think" });
  await pilot.becomes(held, stateIs("held"));
  await pilot.becomes(asking, stateIs("asking"));
  expect((await pilot.program.parley(["autopilot", "pause"])).out).toBe("✓ Autopilot paused: nothing goes out\n");
  // No wait: when the command is back it holds.
  expect((await pilot.look(held)).autopilot?.state).toBe("paused");
  expect((await pilot.look(asking)).autopilot?.state).toBe("paused");
  await pilot.program.kill9();
  await pilot.program.start();
  const later = await pilot.ask({ question: "Later?" });
  await pilot.becomes(later, stateIs("paused"));
  brain.open();
  expect((await pilot.program.parley(["autopilot"])).out).toContain("Paused:");
  await pilot.program.parley(["autopilot", "resume"]);
  expect((await pilot.look(held)).autopilot?.state).toBe("held");
  await pilot.becomes(asking, stateIs("suggested"));
  await pilot.becomes(later, stateIs("held"));
});

test("[AU21] one session can be paused alone", async () => {
  await start(on(LONG) + RULE);
  const [mine, other] = [await pilot.ask({ session: "s1" }), await pilot.ask({ session: "s2", question: "And here?" })];
  await pilot.becomes(mine, stateIs("held"));
  await pilot.becomes(other, stateIs("held"));
  expect((await pilot.program.parley(["autopilot", "pause", "--session", "s1"])).code).toBe(0);
  expect((await pilot.look(mine)).autopilot?.state).toBe("paused");
  expect((await pilot.look(other)).autopilot?.state).toBe("held");
  await pilot.program.parley(["autopilot", "resume", "--session", "s1"]);
  expect((await pilot.look(mine)).autopilot?.state).toBe("held");
  const paused = await pilot.program.parley(["autopilot", "pause", "--session", "nobody"]);
  expect(paused).toMatchObject({ code: 3, err: expect.stringContaining('No session "nobody"') });
});

test("[AU22] a daemon killed in the undo window: the answer is neither lost nor given twice", async () => {
  await start(on("undo_seconds = 3") + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("held"));
  await pilot.program.kill9();
  await pilot.program.start();
  const { outcome } = await pilot.becomes(id, isSettled);
  expect(outcome).toMatchObject({ actor: { type: "rule" }, answers: [{ picks: [1] }] });
  expect(await pilot.states(id)).toEqual(["ask.captured", "held", "ask.settled"]);
});

test("[AU23] a daemon killed while a brain thinks: it is asked again, and proposes once", async () => {
  const brain = pilot.brain("b", second, { gated: true });
  await start(on("undo_seconds = 0") + ASK + brain.toml);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("asking"));
  expect(await holds(() => brain.told().length === 1)).toBe(true);
  await pilot.program.kill9();
  await pilot.program.start();
  expect(await holds(() => brain.told().length === 2)).toBe(true);
  brain.open();
  const { autopilot } = await pilot.becomes(id, stateIs("suggested"));
  expect(autopilot?.proposal).toMatchObject({ by: { type: "brain", name: "b" }, answers: [{ picks: [1] }] });
  expect(autopilot?.why).toContain("it did not say whether this needs a person");
  expect((await pilot.states(id)).filter((state) => state === "suggested")).toHaveLength(1);
});

test("[AU24] a person is first while the brain thinks: they win, and the late answer is kept and compared", async () => {
  const brain = pilot.brain("b", second, { gated: true });
  await start(on("undo_seconds = 0") + ASK + brain.toml);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("asking"));
  await pilot.settles(id, "1");
  brain.open();
  const { outcome, autopilot } = await pilot.becomes(id, stateIs("late"));
  expect(outcome).toMatchObject({ actor: { type: "person" }, answers: [{ picks: [0] }] });
  expect(autopilot?.proposal).toMatchObject({ answers: [{ picks: [1] }], reason: "the roadmap says so" });
  const { stats } = await pilot.program.client().call("autopilotStats");
  expect(stats).toEqual([{ decider: "brain b", result: "differed", count: 1 }]);
  expect((await pilot.program.parley(["show", id])).out).toContain("brain b answered too late");
});

test("[AU25] a brain that says nothing of use leaves it to a person, and explain says why at every step", async () => {
  const brain = pilot.brain("b", "I would rather not");
  await start(on() + ASK + brain.toml);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("human"));
  const { out } = await pilot.program.parley(["explain", id]);
  expect(out).toMatch(/✓ rule ask +decided: /);
  expect(out).toMatch(/✗ brain b +failed: b: its reply does not answer the question, twice/);
  expect(brain.told().map(({ step }) => step)).toEqual(["person", "answer", "answer"]);
});

test("[AU26] when nobody answers: it keeps waiting, asks a brain, or tells the asker so, as was stated", async () => {
  const brain = pilot.brain("b", second);
  const policy = (words: string) =>
    on(`undo_seconds = 0\nescalate_after_seconds = 1\nafter_escalation = "${words}"`) + brain.toml;
  await start(policy("wait"));
  const waits = await pilot.ask();
  const { autopilot } = await pilot.becomes(waits, (ask) => ask.autopilot?.escalated === true);
  expect(autopilot?.state).toBe("human");
  expect((await pilot.program.parley(["explain", waits])).out).toContain(
    "nobody answered within 1 s: it keeps waiting",
  );
  pilot.configure(policy("brain:b"));
  const asked = await pilot.becomes(await pilot.ask({ question: "Which colour?" }), stateIs("suggested"));
  expect(asked.autopilot?.proposal).toMatchObject({ by: { type: "brain", name: "b" }, answers: [{ picks: [1] }] });
  const risky = await pilot.ask({ question: "Delete the production database?", labels: ["Delete it", "No"] });
  const left = await pilot.becomes(risky, (ask) => ask.autopilot?.escalated === true);
  expect(left.outcome).toBeUndefined();
  pilot.configure(policy("expire"));
  const expired = await pilot.ask({ question: "Which font?" });
  await pilot.becomes(expired, isSettled);
  const taken = await pilot.program.client("agent").call("receiveAnswer", { id: expired });
  expect(taken.outcome).toMatchObject({
    type: "expired",
    actor: { type: "system" },
    reason: "nobody answered within 1 s",
  });
  expect((await pilot.look(waits)).outcome).toBeUndefined();
});

test("[AU27] never-auto is never answered, not by a later rule, a brain or an escalation", async () => {
  const brain = pilot.brain("b", second);
  const never = `[[autopilot.rules]]\nname = "never"\nmatch = { header = "Choice" }\nact = "never-auto"\n`;
  await start(
    on(`undo_seconds = 0\nbrain = "b"\nescalate_after_seconds = 1\nafter_escalation = "brain:b"`) +
      never +
      RULE +
      brain.toml,
  );
  const { outcome, autopilot } = await pilot.becomes(await pilot.ask(), (ask) => ask.autopilot?.escalated === true);
  expect([outcome, autopilot?.state]).toEqual([undefined, "human"]);
  expect(brain.told()).toEqual([]);
});

test("[AU28] what a person answered before is proposed again, answers alone only by a rule, and a contradiction is pointed out", async () => {
  await start(`[autopilot]\nmode = "suggest"\n`);
  const first = await pilot.ask();
  await pilot.becomes(first, stateIs("human"));
  await pilot.settles(first, "1");
  const again = await pilot.becomes(await pilot.ask(), stateIs("suggested"));
  expect(again.autopilot?.proposal).toMatchObject({ answers: [{ picks: [0] }], by: { name: "precedent" } });
  await pilot.program.parley(["undo", again.id]);
  pilot.configure(on("undo_seconds = 0") + `[[autopilot.rules]]\nname = "as-before"\nchoose = "precedent"\n`);
  const alone = await pilot.becomes(await pilot.ask(), isSettled);
  expect(alone.outcome).toMatchObject({ actor: { type: "rule", name: "as-before" }, answers: [{ picks: [0] }] });
  await pilot.settles(again.id, "2");
  const { autopilot } = await pilot.becomes(again.id, stateIs("late"));
  expect(autopilot?.why).toBe('Answered "Grid" before, now "List"');
  const third = await pilot.becomes(await pilot.ask(), stateIs("human"));
  expect((await pilot.program.parley(["explain", third.id])).out).toContain("contradict");
});

test("[AU29] test runs the rules against history or one question, shows agreement, and answers nothing", async () => {
  const brain = pilot.brain("b", second);
  await start("");
  const [same, other, thought] = [
    await pilot.ask(),
    await pilot.ask({ question: "Which colour?" }),
    await pilot.ask({ header: "Think" }),
  ];
  await pilot.settles(same, "2");
  await pilot.settles(other, "1");
  pilot.configure(`${RULE}[[autopilot.rules]]\nname = "ask"\nmatch = { header = "Think" }\nbrain = "b"\n${brain.toml}`);
  const all = await pilot.program.parley(["autopilot", "test"]);
  expect(all.out).toContain(
    "3 questions: 2 answered by rules, 1 for a brain, 0 left to you\nCompared with your answers: 1 the same, 1 different",
  );
  const differs = await pilot.program.parley(["autopilot", "test", "--differs"]);
  expect(differs.out).toContain("Which colour?");
  expect(differs.out).not.toContain("Which layout?");
  expect((await pilot.program.parley(["autopilot", "test", same])).out).toMatch(
    /✓ rule first +decided: matches by header/,
  );
  expect((await pilot.look(thought)).outcome).toBeUndefined();
  expect(brain.told()).toEqual([]);
});

test("[AU30] an answer that arrived otherwise than a brain meant it is told to it with the next question of that session", async () => {
  const brain = pilot.agreeing("b", "Option A");
  await start(on("undo_seconds = 0") + ASK + brain.toml);
  const session = createSession(pilot.program, "answered-by-hook");
  await pilot.answerBefore(session, "Option A");
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  expect((await ended(dialog)).out).toContain('"Option A"');
  // Its record says that it was "Option B".
  session.write();
  await session.tell("PostToolUse");
  const wrong = await session.ask(({ state }) => state === "mismatched");
  const change = { turn: "another turn", key: "toolu_another" };
  await session.tell("PreToolUse", 0, change);
  const next = session.fire("PermissionRequest", 0, change);
  await ended(next);
  // It was told at once too, which is no question.
  const answers = brain.told().filter(({ step }) => step === "answer");
  const [first, later] = [answers[0], answers.findLast(({ corrections }) => corrections !== undefined)];
  expect(first?.corrections).toEqual([]);
  expect(later?.corrections).toEqual([
    expect.stringMatching(
      /^## AskUserQuestion Verification — MISMATCH\n.*option 0 \(Option A\).*received:\*\* .*Option B/,
    ),
  ]);
  expect(later?.corrections[0]).toContain(String(wrong.deliveries[0]?.key));
});

test("[AU47] a brain that answers by command: taken back, its answer is refused; too late, it is kept", async () => {
  using gateway = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json({ ok: true }) });
  const key = join(pilot.program.root, "key");
  writeFileSync(key, "secret-token", { mode: 0o600 });
  const brain = `[autopilot.brains.b]\ntype = "openclaw"\nurl = "${gateway.url.origin}"\nkey_file = "${key}"\n`;
  await start(on("undo_seconds = 0") + ASK + brain);
  const decide = (id: string) =>
    pilot.program.parley(["answer", id, "--actions", JSON.stringify(second.actions), "--as", "b"]);
  const undone = await pilot.ask();
  await pilot.becomes(undone, stateIs("asking"));
  await pilot.program.parley(["undo", undone]);
  expect(await decide(undone)).toMatchObject({ code: 77, err: expect.stringContaining("no longer wanted") });
  expect((await pilot.look(undone)).outcome).toBeUndefined();

  const answered = await pilot.ask({ question: "And here?" });
  await pilot.becomes(answered, stateIs("asking"));
  await pilot.settles(answered, "1");
  expect((await decide(answered)).code).toBe(4);
  const { outcome, autopilot } = await pilot.becomes(answered, stateIs("late"));
  expect(outcome?.actor.type).toBe("person");
  expect(autopilot?.proposal).toMatchObject({ by: { type: "brain", name: "b" }, answers: [{ picks: [1] }] });

  const killed = await pilot.ask({ question: "And there?" });
  await pilot.becomes(killed, stateIs("asking"));
  await pilot.program.kill9();
  await pilot.program.start();
  expect((await decide(killed)).code).toBe(0);
  const proposed = (await pilot.becomes(killed, stateIs("suggested"))).autopilot;
  expect(proposed).toMatchObject({
    proposal: { by: { name: "b" } },
    why: expect.stringContaining("b gave no verdict"),
  });
});

test("[AU63] a brain that nobody asked settles nothing that is for a person alone, and nothing while paused", async () => {
  await start(`[[autopilot.rules]]\nname = "mine"\nmatch = { header = "Mine" }\nact = "never-auto"\n`);
  const decide = (id: string) =>
    pilot.program.parley(["answer", id, "--actions", JSON.stringify([{ action: "select", optionIndex: 1 }])]);
  const refused = (why: string) => ({ code: 77, out: "", err: expect.stringContaining(why) });
  expect(await decide(await pilot.ask({ header: "Mine" }))).toMatchObject(refused('the rule "mine" says never'));
  const risky = await pilot.ask({ question: "Should I delete the database?" });
  expect(await decide(risky)).toMatchObject(refused("at stake: destructive"));
  const plain = await pilot.ask();
  await pilot.program.parley(["autopilot", "pause"]);
  expect(await decide(plain)).toMatchObject(refused("the autopilot is paused"));
  expect((await pilot.look(plain)).outcome).toBeUndefined();
  await pilot.program.parley(["autopilot", "resume"]);
  await decide(plain);
  expect((await pilot.look(plain)).outcome).toMatchObject({ actor: { type: "brain" }, answers: [{ picks: [1] }] });
  expect((await pilot.look(risky)).outcome).toBeUndefined();
});

test("[AU68] from inside an agent's session the autopilot is paused, but not resumed", async () => {
  await start("");
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "an-agent" };
  expect((await pilot.program.parley(["autopilot", "pause"], { env })).code).toBe(0);
  expect(await pilot.program.parley(["autopilot", "resume"], { env })).toMatchObject({
    code: 77,
    err: expect.stringContaining("Only a person may resume the autopilot"),
  });
  expect((await pilot.program.parley(["autopilot"])).out).toContain("Paused:");
  expect((await pilot.program.parley(["autopilot", "resume"])).code).toBe(0);
});

test("[AU70] what a new rule leaves to a person while an answer is held does not go out", async () => {
  await start(on(LONG) + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("held"));
  pilot.configure(
    on(LONG) + `[[autopilot.rules]]\nname = "mine"\nmatch = { header = "Choice" }\nact = "hold"\n${RULE}`,
  );
  const { outcome, autopilot } = await pilot.becomes(id, stateIs("human"));
  expect([outcome, autopilot?.why]).toEqual([undefined, 'the rule "mine" holds it for a person']);
});

test("[AU66] a task whose escalation expired is asked about again, and its end names the rule that called it done", async () => {
  const rules = (more: string) => `[[autopilot.rules]]\nname = "mine"\nmatch = { kind = "idle" }\n${more}\n`;
  const expire = `undo_seconds = 0\nescalate_after_seconds = 1\nafter_escalation = "expire"`;
  await using scene = await openTaskScene(`\n${on(expire)}${rules(`act = "hold"`)}`);
  const id = await scene.give([{ say: "Shall I go on?" }]);
  await scene.becomes(id, isWaiting("idle"));
  const first = await scene.asked(id);
  const again = await scene.becomes(id, ({ asks }) => asks.some((ask) => ask !== first.id));
  expect(again.state).toBe("waiting");
  expect((await scene.ask(first.id)).outcome).toMatchObject({ type: "expired", actor: { type: "system" } });
  const file = join(scene.user, ".config/parley/config.toml");
  writeFileSync(file, `${on("undo_seconds = 0")}${rules(`choose = { label = "Done" }`)}`);
  const other = await scene.give([{ say: "Shall I go on?" }]);
  expect((await scene.becomes(other, isIn("done"))).reason).toBe("marked done by mine");
});
