import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, isSettled, type Pilot, RULE, stateIs } from "./autopilot-stage.ts";

let pilot: Pilot;
const start = async (config: string) => {
  pilot = createPilot(config);
  await pilot.program.start();
};
afterEach(() => pilot.dispose());
const on = (more = "") => `[autopilot]\nmode = "on"\ntrust.per_rule = 0\n${more}\n`;
const LONG = "undo_seconds = 600";

test("[AU1] it is off unless the person's own settings switch it on; then nothing is even written down", async () => {
  await start(RULE);
  const id = await pilot.ask();
  const again = await pilot.ask({ question: "Which colour?" });
  await pilot.settles(again, "1");
  await pilot.becomes(again, isSettled);
  expect(await pilot.states(id)).toEqual(["ask.captured"]);
});

test("[AU2] what a rule answers is held for the undo window, then goes out; asker, list and log are told who decided", async () => {
  await start(on(LONG) + RULE);
  const long = await pilot.becomes(await pilot.ask({ question: "Which colour?" }), stateIs("held"));
  expect(long.autopilot).toMatchObject({
    proposal: { answers: [{ picks: [1] }], by: { type: "rule", name: "first" } },
  });
  expect((await pilot.program.parley(["ls"])).out).toContain('"List"');
  pilot.configure(on("undo_seconds = 1") + RULE);
  const id = await pilot.ask();
  const { outcome, autopilot } = await pilot.becomes(id, isSettled);
  expect(outcome).toMatchObject({
    type: "answered",
    answers: [{ picks: [1] }],
    actor: { type: "rule", surface: "autopilot", name: "first" },
  });
  expect(outcome?.at).toBeGreaterThanOrEqual(autopilot?.due ?? Infinity);
  expect(await pilot.states(id)).toEqual(["ask.captured", "held", "ask.settled"]);
  const { out } = await pilot.program.parley(["show", id]);
  expect(out).toContain("answered by first (autopilot): List");
});

test("[AU3] in suggest mode the proposal is shown and one command accepts it as the person's own answer", async () => {
  await start(`[autopilot]\nmode = "suggest"\n${RULE}`);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("suggested"));
  const shown = await pilot.program.parley(["show", id]);
  expect(shown.out).toContain('Autopilot proposes: "List" (rule first)');
  expect((await pilot.program.parley(["accept", id])).code).toBe(0);
  expect((await pilot.look(id)).outcome).toMatchObject({
    actor: { type: "person", surface: "cli" },
    answers: [{ picks: [1] }],
    reason: "accepted what rule first proposed",
  });
  const again = await pilot.program.parley(["accept", id]);
  expect(again.code).toBe(4);
  const second = await pilot.ask({ question: "Which colour?" });
  await pilot.becomes(second, stateIs("suggested"));
  const send = () => pilot.program.client().call("acceptProposal", { id: second, body: {}, idempotencyKey: "one" });
  expect([(await send()).version, (await send()).version]).toEqual([3, 3]);
});

test("[AU4] agreement with what people did is measured for each rule and brain", async () => {
  await start(`[autopilot]\nmode = "suggest"\n${RULE}`);
  for (const answer of ["2", "2", "1"]) {
    const id = await pilot.ask();
    await pilot.becomes(id, stateIs("suggested"));
    await pilot.settles(id, answer);
  }
  const { stats } = await pilot.program.client().call("autopilotStats");
  expect(stats).toEqual([
    { decider: "rule first", result: "agreed", count: 2 },
    { decider: "rule first", result: "differed", count: 1 },
  ]);
  expect((await pilot.program.parley(["autopilot", "stats"])).out).toMatch(/rule first +2 +1 +67 %/);
});

test("[AU5] undo takes a held answer back for good; one that went out cannot be taken back", async () => {
  await start(on(LONG) + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("held"));
  expect((await pilot.program.parley(["undo", id])).out).toStartWith("✓ taken back");
  await pilot.program.terminate();
  await pilot.program.start();
  expect((await pilot.look(id)).autopilot?.state).toBe("undone");
  expect((await pilot.program.parley(["undo", id])).err).toContain("nothing to undo");
  await pilot.settles(id, "1");
  expect((await pilot.program.parley(["undo", id])).code).toBe(4);
});

test("[AU6] a person who answers while an answer is held wins", async () => {
  await start(on(LONG) + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("held"));
  await pilot.settles(id, "1");
  expect((await pilot.look(id)).outcome).toMatchObject({ actor: { type: "person" }, answers: [{ picks: [0] }] });
});

test("[AU7] new settings count at once: switched off, what is held does not go out; switched on, what is open is looked at", async () => {
  await start(RULE);
  const id = await pilot.ask();
  pilot.configure(on(LONG) + RULE);
  await pilot.becomes(id, stateIs("held"));
  pilot.configure(RULE);
  const { autopilot } = await pilot.becomes(id, stateIs("human"));
  expect(autopilot?.why).toBe("the autopilot was switched off");
});

test("[AU8] in the quiet hours it only suggests", async () => {
  const two = (n: number) => String(n % 24).padStart(2, "0");
  const hour = new Date().getHours();
  const quiet = `${two(hour + 23)}:00-${two(hour + 2)}:00`;
  await start(on(`quiet = "${quiet}"`) + RULE);
  const id = await pilot.ask();
  const { autopilot } = await pilot.becomes(id, stateIs("suggested"));
  expect(autopilot?.why).toBe(`it only suggests in the quiet hours (${quiet})`);
});

test("[AU9] beyond the budget of a session or an hour it only suggests, and asks no brain", async () => {
  pilot = createPilot("");
  const brain = pilot.brain("b", { actions: [{ action: "select", optionIndex: 0 }], reason: "r" });
  const ask = `[[autopilot.rules]]\nname = "ask"\nmatch = { header = "Think" }\nbrain = "b"\n`;
  const rules = `${RULE}${ask}${brain.toml}`;
  pilot.configure(on(`undo_seconds = 0\nbudget_per_session = 1`) + rules);
  await pilot.program.start();
  await pilot.becomes(await pilot.ask({ session: "s1" }), isSettled);
  const second = await pilot.becomes(await pilot.ask({ session: "s1" }), stateIs("suggested"));
  expect(second.autopilot?.why).toBe("this session's budget is used up (1)");
  const thought = await pilot.becomes(await pilot.ask({ session: "s1", header: "Think" }), stateIs("human"));
  expect(thought.autopilot?.why).toBe("this session's budget is used up (1)");
  await pilot.becomes(await pilot.ask({ session: "s2" }), isSettled);
  pilot.configure(on(`undo_seconds = 0\nbudget_per_hour = 2`) + rules);
  const third = await pilot.becomes(await pilot.ask({ session: "s3" }), stateIs("suggested"));
  expect(third.autopilot?.why).toBe("this hour's budget is used up (2)");
  expect(brain.told()).toEqual([]);
});

test("[AU10] one project on, the others off; a folder says more than a name", async () => {
  await start("");
  const mode = (...lines: string[]) => `[autopilot]\n${LONG}\n[autopilot.projects]\n${lines.join("\n")}\n${RULE}`;
  pilot.configure(mode(`shop = "on"`));
  await pilot.becomes(await pilot.ask(), stateIs("held"));
  const other = await pilot.ask({ project: "other", cwd: "/tmp" });
  pilot.configure(mode(`shop = "on"`, `"~/shop" = "suggest"`));
  await pilot.becomes(await pilot.ask({ question: "Later?" }), stateIs("suggested"));
  expect((await pilot.look(other)).autopilot).toBeUndefined();
});

test("[AU11] a project's own rules answer only where the person trusts its file", async () => {
  await start(on("undo_seconds = 0"));
  writeFileSync(join(pilot.project, ".parley.toml"), RULE);
  const left = await pilot.becomes(await pilot.ask(), stateIs("human"));
  expect(left.outcome).toBeUndefined();
  const cli = (...args: string[]) => pilot.program.parley(["autopilot", ...args], { cwd: pilot.project });
  expect((await cli()).out).toContain("Here:            on · 0 rules · 1 rule of its own file, not trusted\n");
  await cli("trust", "--yes");
  expect((await cli()).out).toContain("Here:            on · 0 rules · 1 rule of its own file, trusted\n");
  const done = await pilot.becomes(await pilot.ask({ question: "Now?" }), isSettled);
  expect(done.outcome?.actor).toMatchObject({ type: "rule", name: "first" });
});
