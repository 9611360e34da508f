import { expect, test } from "bun:test";
import { openForm, updateForm } from "../form/form.ts";
import { askOf } from "../../../test/sample.ts";
import { keysOf } from "../autopilot/ladder/precedent.ts";
import { subjectOf } from "../autopilot/category/subject.ts";
import { cancelsTask, offerCancel, withoutCancel } from "./task-cancel.ts";

const option = (label: string) => ({ label, description: "", recommended: false });
const question = (...labels: string[]) => ({
  text: "Which?",
  header: "",
  multiSelect: false,
  options: labels.map(option),
});

test("[TK8] the last option of a task's question ends it; one of the agent's own of that name stays apart", () => {
  const labels = (...own: string[]) => offerCancel([question(...own)])[0]?.options.map(({ label }) => label);
  expect(labels("A", "B")).toEqual(["A", "B", "Cancel"]);
  expect(labels("A", "Cancel")).toEqual(["A", "Cancel", "Cancel the task"]);
  expect(labels()).toEqual([]);
  expect(offerCancel(offerCancel([question("A", "B")]))).toEqual(offerCancel([question("A", "B")]));
});

test("[TK8] it counts for asks of tasks alone, whatever the other questions lack", () => {
  const questions = offerCancel([question("A", "B"), question("C", "D")]);
  const ask = { origin: { agent: "a", task: "t" }, questions };
  expect(cancelsTask(ask, [{ picks: [0] }, { picks: [2] }])).toBe(true);
  expect(cancelsTask(ask, [{ picks: [2] }])).toBe(true);
  for (const answers of [undefined, [], [{}], [null], [{ picks: "2" }], [{ picks: [0] }, { picks: [1] }]])
    expect(cancelsTask(ask, answers)).toBe(false);
  expect(cancelsTask({ ...ask, origin: { agent: "a" } }, [{ picks: [2] }])).toBe(false);
});

test("[TK8] chosen in the form, it is sent at once, without the other questions", () => {
  const form = openForm(offerCancel([question("A", "B"), question("C", "D")]));
  const chosen = [{ kind: "move", to: 2 } as const, { kind: "choose" } as const].reduce(updateForm, form);
  expect(chosen.phase).toBe("submitted");
});

test("[AU62] whoever decides in a person's place is not offered it; with it or without, it is the same question", () => {
  const own = [question("A", "B")];
  const ask = askOf({ questions: offerCancel(own), origin: { agent: "a", task: "t" } });
  expect(withoutCancel(ask).questions).toEqual(own);
  expect(subjectOf(withoutCancel(ask)).questions[0]?.labels).toEqual(["a", "b"]);
  expect(keysOf(ask)).toEqual(keysOf({ questions: own }));
  expect(withoutCancel({ ...ask, kind: "idle" }).questions).toEqual(own);
});
