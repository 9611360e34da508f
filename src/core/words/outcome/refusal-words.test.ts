import { expect, test } from "bun:test";
import { askOf, database, delivery } from "../../../../test/sample.ts";
import { DENY, DENY_AND_STOP } from "../../ask/answer/verdicts.ts";
import { offerCancel } from "../../task/task-cancel.ts";
import { declineWords, stopWords } from "./refusal-words.ts";

const approval = askOf({ kind: "approval", questions: [{ ...database, options: [DENY, DENY_AND_STOP] }] });
const task = askOf({ origin: { agent: "claude-code", task: "t" }, questions: offerCancel([database]) });
const script = askOf({ origin: { agent: "script" }, deliveries: [delivery({ channel: "fetch" })] });
const own = (kind: "idle" | "question", more = {}) =>
  askOf({ kind, origin: { agent: "parley", ...more }, deliveries: [delivery({ channel: "self" })] });

test.each([
  ["an agent's question", askOf(), "Decline", "Stop the agent"],
  ["a permission prompt", approval, "Deny", "Deny and stop"],
  ["a task's question", task, "Decline", "Cancel the task"],
  ["a script's question", script, "Decline", "Cancel the question"],
  ["what only keys can answer", askOf({ deliveries: [delivery({ channel: "keys" })] }), "Decline", undefined],
  ["a task whose agent stopped", own("idle", { task: "t" }), undefined, undefined],
  ["what Parley itself asks", own("question"), undefined, undefined],
])("[VB2] the ways not to answer %s have one name each on every surface", (_, ask, decline, stop) => {
  expect(declineWords(ask)?.name).toBe(decline as never);
  expect(stopWords(ask)?.name).toBe(stop as never);
});

test("[VB2] the second step says what it ends", () => {
  expect(stopWords(askOf())?.sure).toBe("Stop the agent, as Esc does?");
  expect(stopWords(approval)?.sure).toBe("Deny it and stop the turn, as Esc does?");
  expect(stopWords(task)?.sure).toBe("Cancel the task?");
});
