import { afterEach, expect, test } from "bun:test";
import { createPilot, isSettled, type Pilot, stateIs } from "./autopilot-stage.ts";
import { holds } from "./program.ts";
import { isWaiting, openTaskScene } from "./task-scene.ts";

const ON = `[autopilot]\nundo_seconds = 0\n[autopilot.projects]\n"~/shop" = "on"\n`;
const LABELS = ["More questions", "Next area"];
const TOPICS = ["the cart", "how names are shown", "search", "the layout", "sorting", "colours", "the list"];

let pilot: Pilot;
afterEach(() => (pilot as Pilot | undefined)?.dispose());

async function start(config = ON): Promise<void> {
  pilot = createPilot(config);
  await pilot.program.start();
}
let asked = 0;
const ask = (session: string, project = "shop", cwd = pilot.project) => {
  const topic = TOPICS[asked++ % TOPICS.length] ?? "";
  const question = `More questions about ${topic}, or should we continue?`;
  return pilot.ask({ question, header: "Next", labels: LABELS, session, project, cwd });
};
/** Asked in this session, and answered with "Next area" once the autopilot has looked at it. */
async function answeredIn(session: string, answer = "2") {
  const id = await ask(session);
  const seen = await pilot.becomes(id, ({ autopilot }) => ["human", "suggested"].includes(autopilot?.state ?? ""));
  await pilot.program.client().call("settleAsk", {
    id,
    body: { action: "answer", answers: [{ picks: [Number(answer) - 1] }], surface: "cli" },
  });
  return seen;
}
const states = async (...sessions: string[]) => {
  const found: string[] = [];
  for (const session of sessions) found.push((await answeredIn(session)).autopilot?.state ?? "");
  return found;
};

test("[TU19] switched on it watches, then suggests, then answers what was always answered so; killed and explained, withdrawn and taken back", async () => {
  await start();
  // Nothing is shown at first; then what is accepted counts half.
  expect(await states("s1", "s1", "s2", "s2", "s1", "s1")).toEqual(
    ["human", "human", "human", "human"].concat(["suggested", "suggested"]),
  );
  await pilot.program.kill9();
  await pilot.program.start();
  const done = await pilot.becomes(await ask("s3"), isSettled);
  expect(done.outcome).toMatchObject({ actor: { type: "rule", name: "precedent" }, answers: [{ picks: [1] }] });
  const explained = (await pilot.program.parley(["explain", done.id])).out;
  expect(explained).toContain("✓ trust precedent");
  expect(explained).toContain("answers, with undo: 6 equal answers in a row over 2 sessions");

  // Another project knows nothing of it.
  expect((await pilot.becomes(await ask("s4", "blog", "/tmp"), () => true)).autopilot).toBeUndefined();

  const [row] = (await pilot.program.client().call("earnedTrust")).trust;
  expect(row).toMatchObject({ project: "shop", decider: "precedent", stage: "held", score: 5, needed: 5, sessions: 2 });
  const listed = await pilot.program.parley(["autopilot", "trust"]);
  expect(listed.out).toContain('your earlier answers: "More questions about … we continue?"');
  const gone = await pilot.program.parley(["autopilot", "trust", "--withdraw", row?.id ?? ""]);
  expect(gone.out).toBe(
    '✓ withdrawn: your earlier answers: "More questions about … we continue?": watches, 0 of 10 equal answers in a row\n',
  );
  expect((await answeredIn("s5")).autopilot?.state).toBe("human");
  const inside = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "an-agent" };
  const refused = await pilot.program.parley(["autopilot", "trust", "--withdraw", row?.id ?? ""], { env: inside });
  expect(refused).toMatchObject({ code: 77, err: expect.stringContaining("Only a person may say whom they trust") });
});

test("[TU20] a rule that chooses by its own reading proposes until it has earned more, and every tenth is asked", async () => {
  const rule = `[[autopilot.rules]]\nname = "on"\nmatch = { header = "Next" }\nchoose = "recommended"\n`;
  await start(ON.replace("undo_seconds = 0", "undo_seconds = 0\ntrust = { per_question = 1, ask_every = 2 }") + rule);
  const offered = (session: string) =>
    pilot.ask({ question: "Which layout?", header: "Next", labels: ["Grid", "List (Recommended)"], session });
  const first = await pilot.becomes(await offered("s1"), stateIs("suggested"));
  expect(first.autopilot?.why).toBe("it suggests until it has earned more: 0 of 1 equal answers in a row");
  await pilot.program.parley(["accept", first.id]);
  const second = await pilot.becomes(await offered("s2"), stateIs("suggested"));
  await pilot.settles(second.id, "2");
  const third = await pilot.becomes(await offered("s1"), isSettled);
  expect(third.outcome?.actor).toMatchObject({ type: "rule", name: "on" });
  const turn = await pilot.becomes(await offered("s1"), stateIs("human"));
  expect(turn.autopilot?.why).toBe("asked anyway, to see whether it still holds");
  await pilot.program.parley(["autopilot", "pause"]);
  await pilot.program.parley(["autopilot", "resume"]);
  expect((await pilot.look(turn.id)).autopilot?.state).toBe("human");

  // The morning: each with one word.
  const digest = await pilot.program.parley(["digest"]);
  expect(digest.out).toContain("1 answer in your place, 0 minutes of waiting saved");
  expect(digest.out).toContain('"List (Recommended)" by rule on; 2 equal answers in a row over 2 sessions');
  expect(digest.out).toContain("1 left to you");
  const corrected = await pilot.program.parley(["digest", "correct", third.id, "1"]);
  expect(corrected.out).toBe("✓ corrected: its agent cannot be told any more\n");
  expect((await pilot.program.parley(["show", third.id])).out).toContain("corrected to Grid");
  await pilot.settles(turn.id, "2");
  const demoted = await pilot.becomes(await offered("s2"), stateIs("suggested"));
  expect(demoted.autopilot?.why).toContain("1 of 2 equal answers");
  expect(await pilot.program.parley(["digest", "agree", demoted.id])).toMatchObject({ code: 4 });
});

test("[TU21] replay runs the answers of a person in time order, as if it had been on, and changes nothing", async () => {
  await start("");
  for (const session of ["s1", "s1", "s2", "s2", "s1", "s2", "s1", "s2", "s3"]) {
    const id = await ask(session);
    await pilot.settles(id, session === "s3" ? "1" : "2");
  }
  const { out } = await pilot.program.parley(["autopilot", "replay"]);
  expect(out).toContain("Questions:       9 that you answered");
  expect(out).toContain("Answered:        3 of 9 (33 %; 12–65 % at 95 %)\n");
  expect(out).toContain("As you did:      2 of 3 (67 %; 21–94 % at 95 %)\n");
  expect(out).toContain("At stake:        0 of them\n");
  expect(out).toContain('your earlier answers: "Next area", you: "More questions"');
  expect((await pilot.program.client().call("earnedTrust")).trust).toEqual([]);
});

test("[TU24] a correction reaches the agent of a task that waits for its person", async () => {
  const rule = `[[autopilot.rules]]\nname = "layout"\nmatch = { question = "Which layout?" }\nchoose = { label = "Grid" }\n`;
  await using scene = await openTaskScene(`[autopilot]\nmode = "on"\nundo_seconds = 0\n${rule}`);
  const options = ["Grid", "List"].map((label) => ({ label, description: `Show a ${label}` }));
  const asks = [{ question: "Which layout?", header: "Layout", multiSelect: false, options }];
  const id = await scene.give([{ ask: asks }, { say: "Shall I go on?" }]);
  await scene.becomes(id, isWaiting("idle"));
  const { projects } = await scene.client().call("digest", { query: { since: 0 } });
  // This agent keeps no notes, which is found out.
  const wrong = projects.flatMap(({ answered, mismatched }) => [...answered, ...mismatched])[0];
  expect(wrong?.outcome?.actor).toMatchObject({ type: "rule", name: "layout" });
  expect((await scene.parley(["digest", "correct", wrong?.id ?? "", "2"])).out).toBe(
    "✓ corrected: its agent is told\n",
  );
  await scene.becomes(id, ({ run }) => run > 1);
  const said =
    'A correction by your person: "Which layout?" was answered in their place, and wrongly. The answer is: List';
  expect(await holds(() => JSON.stringify(scene.journal()).includes(JSON.stringify(said).slice(1, -1)))).toBe(true);
});
