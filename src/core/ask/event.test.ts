import { expect, test } from "bun:test";
import { answered, database } from "../../../test/sample.ts";
import { AskEvent, EVENT_VERSION, LogEvent, SessionEvent } from "./event.ts";

const event = (more: Partial<LogEvent> = {}): LogEvent => ({
  seq: 1,
  at: 5,
  v: EVENT_VERSION,
  type: "ask.sent",
  data: { type: "ask.sent", key: "k1", channel: "race" },
  ...more,
});

test("[L23] an event of a later version or an unknown type is kept, not dropped", () => {
  const later = event({ v: EVENT_VERSION + 3, type: "ask.teleported", data: { type: "ask.teleported", to: "mars" } });
  expect(LogEvent.parse(JSON.parse(JSON.stringify({ ...later, extra: 1 })))).toEqual({ ...later, extra: 1 });
});

test("[L24] every event survives the log's JSON, with fields nobody knows", () => {
  const outcome = { ...answered({ picks: [0] }), lost: answered({ picks: [1], text: "x" }), extra: { deep: [1] } };
  const events: unknown[] = [
    {
      type: "ask.captured",
      kind: "question",
      questions: [database],
      origin: { agent: "a" },
      key: "k",
      channel: "race",
    },
    { type: "ask.joined", key: "k", replaces: "call:1", origin: { cwd: "/x" } },
    { type: "ask.context", lastText: "t", command: "/gsd:plan-phase 3" },
    { type: "ask.held", key: "k", hold: "h", channel: "race", racing: true },
    { type: "ask.released", key: "k", hold: "h", reason: "signal" },
    { type: "ask.typing", key: "k", pane: "%3" },
    {
      type: "ask.autopilot",
      state: "held",
      why: "w",
      steps: [{ step: "rule", name: "r", result: "decided", why: "w" }],
      proposal: {
        action: "answer",
        answers: [{ picks: [0] }],
        by: { type: "rule", surface: "autopilot", name: "r" },
        reason: "w",
      },
      due: 5,
    },
    { type: "ask.snoozed", until: 5, actor: { type: "person", surface: "cli" } },
    { type: "ask.settled", outcome },
    { type: "ask.sent", key: "k", channel: "race", future: true },
    { type: "ask.verified", key: "k" },
    { type: "ask.mismatched", key: "k", detail: "d" },
    { type: "ask.reviewed", verdict: "corrected", actor: outcome.actor, answers: [{ picks: [1] }] },
    { type: "ask.corrected", to: "its next prompt", call: "c" },
    { type: "ask.told", to: "cli" },
    { type: "ask.messaged", messenger: "telegram", step: "sent", to: "Ann" },
    { type: "ask.ended", key: "k", outcome },
    { type: "ask.closed", outcome },
  ];
  for (const one of events) expect(AskEvent.parse(JSON.parse(JSON.stringify(one)))).toEqual(one as AskEvent);
  expect(AskEvent.options).toHaveLength(events.length);
  expect(SessionEvent.parse({ type: "session.seen", session: { cwd: "/x" } })).toEqual({
    type: "session.seen",
    session: { cwd: "/x" },
  });
});
