import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPilot, isSettled, type Pilot, RULE, stateIs } from "./autopilot-stage.ts";
import { holds } from "./program.ts";

let pilot: Pilot;
beforeEach(() => {
  pilot = createPilot("");
});
afterEach(() => pilot.dispose());
const mode = (name: string, more = "undo_seconds = 600") =>
  `[autopilot]\nmode = "${name}"\ntrust.per_rule = 0\n${more}\n`;
const start = async (config: string) => {
  pilot.configure(config);
  await pilot.program.start();
};
const OTHER = RULE.replace('"first"', '"other"').replace("List", "Grid");
const second = { actions: [{ action: "select", optionIndex: 1 }], reason: "it is shorter" };
const askAll = (brain: string) => `[[autopilot.rules]]\nname = "ask"\nbrain = "${brain}"\n`;
const count = async (id: string, state: string) => (await pilot.states(id)).filter((each) => each === state).length;

test("[LX20] switched from suggest to on, what is proposed goes out; back to suggest, what is held does not", async () => {
  await start(mode("suggest") + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("suggested"));
  pilot.configure(mode("on") + RULE);
  await pilot.becomes(id, stateIs("held"));
  pilot.configure(mode("suggest") + RULE);
  const back = await pilot.becomes(id, stateIs("suggested"));
  expect(back.autopilot).toMatchObject({ why: "the mode is suggest", proposal: { answers: [{ picks: [1] }] } });
  pilot.configure(mode("on", "undo_seconds = 0") + RULE);
  expect((await pilot.becomes(id, isSettled)).outcome?.actor).toMatchObject({ type: "rule", name: "first" });
  expect(await count(id, "ask.settled")).toBe(1);
});

test("[LX21] a new rule answers what was left to a person, also when it was written while no daemon ran", async () => {
  await start(mode("on"));
  const [now, later] = [await pilot.ask(), await pilot.ask({ header: "Later" })];
  await pilot.becomes(now, stateIs("human"));
  await pilot.becomes(later, stateIs("human"));
  pilot.configure(mode("on") + RULE);
  await pilot.becomes(now, stateIs("held"));
  expect((await pilot.look(later)).autopilot?.state).toBe("human");
  await pilot.program.terminate();
  pilot.configure(mode("on") + RULE.replace("Choice", "Later"));
  await pilot.program.start();
  await pilot.becomes(later, stateIs("held"));
  const left = await pilot.becomes(now, stateIs("human"));
  expect(left.autopilot?.proposal).toBeUndefined();
});

test("[LX22] what a rule that is gone proposed is withdrawn everywhere, and nobody can accept it", async () => {
  await start(mode("suggest") + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("suggested"));
  expect((await pilot.program.parley(["ls"])).out).toContain("proposed");
  pilot.configure(mode("suggest"));
  const { autopilot } = await pilot.becomes(id, stateIs("human"));
  expect(autopilot?.proposal).toBeUndefined();
  for (const command of [["ls"], ["show", id]])
    expect((await pilot.program.parley(command)).out).not.toMatch(/proposed:|Autopilot proposes/);
  expect((await pilot.program.parley(["accept", id])).err).toContain("Nothing is proposed for this question");
});

test("[LX22] switched off, or changed while paused, nothing stays proposed", async () => {
  await start(mode("suggest") + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("suggested"));
  await pilot.program.parley(["autopilot", "pause"]);
  expect((await pilot.look(id)).autopilot?.state).toBe("suggested");
  pilot.configure(mode("suggest") + OTHER);
  expect((await pilot.becomes(id, stateIs("paused"))).autopilot?.proposal).toBeUndefined();
  await pilot.program.parley(["autopilot", "resume"]);
  expect((await pilot.look(id)).autopilot?.proposal).toMatchObject({
    by: { name: "other" },
    answers: [{ picks: [0] }],
  });
  pilot.configure(OTHER);
  expect((await pilot.becomes(id, stateIs("human"))).autopilot?.proposal).toBeUndefined();
});

test("[LX23] an answer that is held is that of the rules in force: another rule's takes its place, with a window of its own", async () => {
  await start(mode("on") + RULE);
  const id = await pilot.ask();
  const first = await pilot.becomes(id, stateIs("held"));
  pilot.configure(mode("on") + OTHER);
  const other = await pilot.becomes(id, ({ autopilot }) => autopilot?.proposal?.by.name === "other");
  expect(other.autopilot?.state).toBe("held");
  expect(other.autopilot?.due).toBeGreaterThan(first.autopilot?.due ?? Infinity);
  // A third one's has a window that ends at once.
  const third = OTHER.replace('"other"', '"third"').replace("Grid", "List");
  pilot.configure(mode("on", "undo_seconds = 0") + third);
  const { outcome } = await pilot.becomes(id, isSettled);
  expect(outcome).toMatchObject({ actor: { name: "third" }, answers: [{ picks: [1] }] });
});

test("[LX24] what a person took back is not answered again, whatever the settings become", async () => {
  await start(mode("suggest") + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("suggested"));
  await pilot.program.parley(["undo", id]);
  const witness = await pilot.ask({ question: "Which colour?" });
  pilot.configure(mode("on", "undo_seconds = 0") + RULE);
  await pilot.becomes(witness, isSettled);
  await pilot.program.terminate();
  pilot.configure(mode("on", "undo_seconds = 0") + OTHER);
  await pilot.program.start();
  await pilot.becomes(await pilot.ask({ question: "Which font?" }), isSettled);
  expect(await pilot.look(id)).toMatchObject({ state: "open", autopilot: { state: "undone" } });
});

test("[LX25] a brain is asked once: its proposal stands whatever the mode becomes, and only another brain is asked anew", async () => {
  const [b, c] = [pilot.brain("b", second), pilot.brain("c", { ...second, reason: "so says c" })];
  const brains = `${b.toml}${c.toml}`;
  await start(mode("suggest") + askAll("b") + brains);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("suggested"));
  pilot.configure(mode("suggest", "undo_seconds = 500") + askAll("b") + brains);
  await pilot.becomes(await pilot.ask({ question: "Which colour?" }), stateIs("suggested"));
  await pilot.program.terminate();
  await pilot.program.start();
  pilot.configure(mode("on") + askAll("b") + brains);
  await pilot.becomes(id, ({ autopilot }) => autopilot?.why.startsWith("it suggests: ") === true);
  expect([b.told().length, c.told().length]).toEqual([4, 0]);
  pilot.configure(mode("on") + askAll("c") + brains);
  const other = await pilot.becomes(id, ({ autopilot }) => autopilot?.proposal?.by.name === "c");
  expect(other.autopilot?.state).toBe("suggested");
  expect(b.told()).toHaveLength(4);
});

test("[LX25] a brain that had no answer is not asked the same again, until its settings change", async () => {
  const brain = pilot.brain("b", "I would rather not");
  await start(mode("on") + askAll("b") + brain.toml);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("human"));
  const once = brain.told().length;
  pilot.configure(mode("on", "undo_seconds = 500") + askAll("b") + brain.toml);
  await pilot.program.terminate();
  await pilot.program.start();
  const witness = await pilot.ask({ question: "Which colour?" });
  await pilot.becomes(witness, stateIs("human"));
  expect(brain.told()).toHaveLength(2 * once);
  expect((await pilot.look(id)).autopilot?.state).toBe("human");
  pilot.configure(`${mode("on", "undo_seconds = 500")}${askAll("b")}${brain.toml}timeout_seconds = 60\n`);
  expect(await holds(() => brain.told().length === 4 * once)).toBe(true);
});

test("[LX26] a project's own file counts for what is open as soon as it is trusted", async () => {
  await start(mode("suggest") + RULE);
  const id = await pilot.ask();
  await pilot.becomes(id, stateIs("suggested"));
  const own = join(pilot.project, ".parley.toml");
  pilot.configure(mode("suggest"));
  await pilot.becomes(id, stateIs("human"));
  writeFileSync(own, `[[autopilot.rules]]\nname = "theirs"\nmatch = { header = "Choice" }\nact = "never-auto"\n`);
  const trusted = await pilot.program.parley(["autopilot", "trust", "--yes"], { cwd: pilot.project });
  expect([trusted.code, trusted.err]).toEqual([0, ""]);
  const { autopilot } = await pilot.becomes(id, (ask) => ask.autopilot?.why.includes("theirs") === true);
  expect(autopilot?.why).toBe('the rule "theirs" says never');
});

test("[LA1] switched on or off by the command, what is open is judged when the command is back", async () => {
  await start(mode("off") + RULE);
  const ids = [await pilot.ask(), await pilot.ask({ question: "Which colour?" })];
  const states = async () => (await Promise.all(ids.map(pilot.look))).map(({ autopilot }) => autopilot?.state);
  expect(await states()).toEqual([undefined, undefined]);
  for (const [word, state] of [
    ["on", "held"],
    ["suggest", "suggested"],
    ["off", "human"],
  ] as const) {
    expect((await pilot.program.parley(["autopilot", word])).code).toBe(0);
    // No wait: the daemon does not look at its settings before five seconds are over.
    expect(await states()).toEqual([state, state]);
  }
  await pilot.program.terminate();
  expect((await pilot.program.parley(["autopilot", "suggest"])).code).toBe(0);
  await pilot.program.start();
  for (const id of ids) await pilot.becomes(id, stateIs("suggested"));
});
