import { afterEach, expect, test } from "bun:test";
import { createPilot, isSettled, type Pilot, stateIs } from "./autopilot-stage.ts";

let pilot: Pilot;
afterEach(() => pilot.dispose());

const ON = `[autopilot]\nmode = "on"\nundo_seconds = 600\n`;
const asked = (thing: string) => ({
  question: `Should I delete ${thing} the list?`,
  header: "Notes",
  labels: ["Yes", "No"],
});
const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ");

test("[TM7] the rule that `parley autopilot allow --template` prints opens the question with another filling, says so, and no more than that", async () => {
  pilot = createPilot(ON);
  await pilot.program.start();
  const id = await pilot.ask(asked("the second note of"));
  await pilot.becomes(id, stateIs("human"));
  const { out, code } = await pilot.program.parley(["autopilot", "allow", id, "1", "--template"]);
  expect(code).toBe(0);
  expect(out).toContain("What it risks:");
  expect(inOneLine(out)).toContain('template = "Should I delete … the list?"');
  // As a person does it: what stands below goes into the settings.
  pilot.configure(`${ON}${out.slice(out.indexOf("[[autopilot.rules]]"))}`);
  const held = await pilot.becomes(await pilot.ask(asked("the first line of")), stateIs("held"));
  expect(held.autopilot?.proposal).toMatchObject({ answers: [{ picks: [0] }] });
  const said = inOneLine((await pilot.program.parley(["explain", held.id])).out);
  expect(said).toContain("which names this question by its template");
  expect(said).toContain('"the first line of" in its middle is harmless by itself');
  // The one that was shown is judged again by it; a staked filling stays a person's.
  await pilot.becomes(id, stateIs("held"));
  const staked = await pilot.becomes(await pilot.ask(asked("the production database and")), stateIs("human"));
  expect(staked.outcome).toBeUndefined();
  const other = await pilot.becomes(
    await pilot.ask({ ...asked("the last note of"), labels: ["Yes", "No", "All of it"] }),
    stateIs("human"),
  );
  expect(other.autopilot?.proposal).toBeUndefined();
  await pilot.program.parley(["undo", held.id]);
  await pilot.settles(held.id, "No");
  expect((await pilot.becomes(held.id, isSettled)).outcome?.actor.type).toBe("person");
});

test("[TM8] a rule of the exact text says that it names exactly this question", async () => {
  pilot = createPilot(ON);
  await pilot.program.start();
  const id = await pilot.ask({ question: "Продолжить с тестами?", header: "Тесты", labels: ["Да", "Нет"] });
  await pilot.becomes(id, stateIs("human"));
  const { out } = await pilot.program.parley(["autopilot", "allow", id, "1"]);
  pilot.configure(`${ON}${out.slice(out.indexOf("[[autopilot.rules]]"))}`);
  await pilot.becomes(id, stateIs("held"));
  expect(inOneLine((await pilot.program.parley(["explain", id])).out)).toContain("which names exactly this question");
});
