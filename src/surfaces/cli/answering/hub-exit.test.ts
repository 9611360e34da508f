import { expect, test } from "bun:test";
import { exitOfAnswer } from "./hub-exit.ts";

test.each([
  [undefined, 0],
  [{ state: "sent" }, 0],
  [{ state: "received" }, 0],
  [{ state: "overtaken" }, 4],
  [{ state: "withdrawn", reason: "demand" }, 77],
  [{ state: "withdrawn", reason: "refused" }, 77],
  [{ state: "withdrawn", reason: "revoked" }, 77],
  [{ state: "withdrawn", reason: "not-shared" }, 3],
  [{ state: "withdrawn", reason: "invalid" }, 2],
  [{ state: "withdrawn", reason: "over" }, 4],
  [{ state: "withdrawn", reason: "taken-back" }, 4],
  [{ state: "withdrawn" }, 4],
  [{ state: "withdrawn", reason: "constructor" }, 4],
])("[HX22] after an answer of which this became: %j, the program ends with %i", (intent, code) => {
  expect(exitOfAnswer({ intent })).toBe(code);
});

test("[HX22] where another one has to choose the same nothing has failed, whatever became of an earlier answer", () => {
  expect(exitOfAnswer({ intent: { state: "withdrawn" }, halves: [{}] })).toBe(0);
});
