import { afterEach, expect, test } from "bun:test";
import { RISKY } from "../autopilot/risky.ts";
import { createPilot, type Pilot, stateIs } from "./autopilot-stage.ts";

let pilot: Pilot;
afterEach(() => pilot.dispose());
const HANDBOOK = `
[autopilot]
mode = "on"
trust.per_rule = 0
undo_seconds = 600
brain = "b"
[[autopilot.rules]]
name = "go-on"
match = { category = "confirmation" }
choose = "affirmative"
`;

test("[LX15] the handbook's first rule answers no risky wording, no brain is asked, and explain says why", async () => {
  pilot = createPilot("");
  const brain = pilot.brain("b", { actions: [{ action: "select", optionIndex: 0 }], reason: "why not" });
  pilot.configure(HANDBOOK + brain.toml);
  await pilot.program.start();
  const labels = ["Yes", "No"];
  const texts = RISKY.filter((wording) => typeof wording === "string").filter((text) => text.endsWith("?"));
  for (const question of texts) {
    const id = await pilot.ask({ question, header: "Next", labels });
    const { autopilot, outcome } = await pilot.becomes(id, (ask) => ask.autopilot !== undefined);
    expect([question, autopilot?.state, autopilot?.proposal, outcome]).toEqual([
      question,
      "human",
      undefined,
      undefined,
    ]);
  }
  expect(brain.told()).toEqual([]);
  const id = await pilot.ask({ question: "Go on with `make`?", header: "Next", labels });
  await pilot.becomes(id, stateIs("human"));
  expect((await pilot.program.parley(["explain", id])).out).toMatch(/∥ gate +held: the question has code/);
  const decide = ["answer", id, "--actions", JSON.stringify([{ action: "select", optionIndex: 0 }])];
  expect(await pilot.program.parley(decide)).toMatchObject({
    code: 77,
    err: expect.stringContaining("Only a person may answer this: not plainly harmless: the question has code"),
  });
  await pilot.becomes(
    await pilot.ask({ question: "Shall I go on with the checkout?", header: "Next", labels }),
    stateIs("held"),
  );
});
