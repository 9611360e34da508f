import { expect, test } from "bun:test";
import { answered, askOf, database, features } from "../../../test/sample.ts";
import { answerLines, assumptionHeld } from "./outcome.ts";

test("[AS32] of several questions each line begins with its header; notes stay out of it", () => {
  const ask = askOf({
    questions: [
      { ...database, header: "Store" },
      { ...features, header: "Parts" },
    ],
  });
  const outcome = answered({ picks: [1], note: "n" }, { picks: [0, 1], text: "own" });
  expect(answerLines(ask, outcome)).toBe("Store: Postgres\nParts: Auth, A, B, own\n");
});

test("[AS33] an outcome without answers prints its words, or nothing", () => {
  const declined = { type: "declined", actor: { type: "person", surface: "cli" }, at: 1 } as const;
  expect(answerLines(askOf(), declined)).toBe("");
  expect(answerLines(askOf(), { ...declined, message: "no\u001b[2J" })).toBe("no\n");
});

test.each([
  [answered({ picks: [0] }), true],
  [answered({ picks: [0], note: "small" }), true],
  [answered({ picks: [1] }), false],
  [answered({ picks: [0, 1] }), false],
  [answered({ picks: [], text: "SQLite" }), false],
  [{ ...answered(), type: "declined" as const }, undefined],
  [undefined, undefined],
])("[AS34] %j bears out the assumption: %p", (outcome, held) => {
  expect(assumptionHeld(askOf({ assumption: 0 }), outcome)).toBe(held as never);
  expect(assumptionHeld(askOf(), outcome)).toBeUndefined();
});
