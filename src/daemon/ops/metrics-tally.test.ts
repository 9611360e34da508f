import { expect, test } from "bun:test";
import type { AskEvent } from "../../core/ask/event.ts";
import { answered, database } from "../../../test/sample.ts";
import { count, emptyTally } from "./metrics-tally.ts";

test("[LD5] no word of a question, of what led to it or of its answer is kept with the counts, while it is open or after", () => {
  const tally = emptyTally();
  const origin = { agent: "claude-code", session: "secret-session", cwd: "/secret/folder" };
  const events: AskEvent[] = [
    { type: "ask.captured", kind: "question", questions: [database], origin, key: "k", channel: "race" },
    { type: "ask.context", lastText: "secret text", command: "/secret command", isContextRead: true },
    { type: "ask.held", key: "k", hold: "h", channel: "race", racing: true },
    { type: "ask.settled", outcome: answered({ picks: [0], text: "secret answer" }) },
    { type: "ask.sent", key: "k", channel: "race" },
    { type: "ask.verified", key: "k" },
  ];
  for (const [i, data] of events.entries()) {
    count(tally, { seq: i + 1, at: 1000 * (i + 1), v: 1, type: data.type, ask: "a", data });
    const kept = JSON.stringify(tally);
    for (const word of ["secret", "Which database", "SQLite"]) expect(kept).not.toContain(word);
  }
  expect(tally.settled).toEqual({ "question answered person cli": 1 });
  expect(tally.done).toEqual({ "question verified answered": 1 });
  expect(tally.deliveries).toEqual({ sent: 1, verified: 1 });
  expect([tally.waits["question"]?.sum, tally.active]).toEqual([3, {}]);
});
