import { describe, expect, test } from "bun:test";
import { answered, askOf, database, features, PERSON } from "../../../test/sample.ts";
import type { Ask } from "./ask.ts";
import { ParleyError } from "../error.ts";
import type { Actor } from "./outcome.ts";
import { settle, type Settlement } from "./settle.ts";
import { offerCancel } from "../task/task-cancel.ts";

const NOW = 5000;
const agent = (session: string): Actor => ({ type: "agent", surface: "cli", session });

function refused(ask: Ask, settlement: Settlement, actor: Actor = PERSON): ParleyError {
  try {
    settle(ask, settlement, actor, NOW);
  } catch (error) {
    if (error instanceof ParleyError) return error;
  }
  throw new Error("this was not refused");
}

describe("settling", () => {
  test("[SE1] an answer is kept in its normal form, with who, where and when", () => {
    const settlement: Settlement = { action: "answer", answers: [{ picks: [2, 0], text: " x ", note: "n" }] };
    expect(settle(askOf({ questions: [features] }), settlement, PERSON, NOW)).toEqual({
      type: "ask.settled",
      outcome: { type: "answered", actor: PERSON, at: NOW, answers: [{ picks: [0, 2], text: "x", note: "n" }] },
    });
  });

  test.each([
    [{ action: "decline" }, { type: "declined" }],
    [
      { action: "decline", message: " not now " },
      { type: "declined", message: "not now" },
    ],
    [{ action: "cancel", message: "  " }, { type: "cancelled" }],
    [
      { action: "chat", message: "why?", reason: "r1" },
      { type: "chat", message: "why?", reason: "r1" },
    ],
    [{ action: "decline", answers: [{ picks: [0] }] }, { type: "declined" }],
  ] as [Settlement, object][])("[SE2] a refusal keeps its words and no answers: %j", (settlement, outcome) => {
    expect(settle(askOf(), settlement, PERSON, NOW)).toEqual({
      type: "ask.settled",
      outcome: { actor: PERSON, at: NOW, ...outcome } as never,
    });
  });
});

describe("refused", () => {
  test("[SE3] the first settlement wins; the second is told who, when, from where and what", () => {
    const web = { ...answered({ picks: [0] }), actor: { type: "person", surface: "web" } as const, at: NOW - 2000 };
    const error = refused(askOf({ outcome: web, state: "settled", version: 7 }), { action: "decline" });
    expect(error.code).toBe("already_settled");
    expect(error.message).toBe("Already settled: answered by web 2 s ago: SQLite");
    expect(error.details).toEqual({ outcome: web, state: "settled", version: 7 });
    const terminal = {
      ...web,
      type: "answered-elsewhere" as const,
      actor: { type: "person", surface: "terminal" } as const,
    };
    expect(refused(askOf({ outcome: terminal }), { action: "decline" }).message).toBe(
      "Already settled: answered in the terminal 2 s ago: SQLite",
    );
  });

  test("[SE4] a session does not answer its own question, not even to decline", () => {
    for (const action of ["answer", "decline", "cancel"] as const) {
      const error = refused(askOf(), { action, answers: [{ picks: [0] }] }, agent("asking-session"));
      expect(error.code).toBe("self_answer");
      expect(error.message).toBe("An agent may not answer its own question: this is the session that asked");
    }
  });

  test("[SE5] another session may answer a question, as an agent, but never an approval or a plan", () => {
    const settled = settle(askOf(), { action: "answer", answers: [{ picks: [0] }] }, agent("other"), NOW);
    expect(settled).toMatchObject({ outcome: { actor: { type: "agent", session: "other" } } });
    const approval = refused(askOf({ kind: "approval" }), { action: "decline" }, agent("other"));
    expect([approval.code, approval.message]).toEqual(["forbidden", "Only a person may settle an approval"]);
    const plan = refused(askOf({ kind: "plan" }), { action: "decline" }, agent("other"));
    expect([plan.code, plan.message]).toEqual(["forbidden", "Only a person may settle a plan"]);
    for (const type of ["rule", "brain", "system"] as const)
      expect(refused(askOf({ kind: "approval" }), { action: "decline" }, { type, surface: "x" }).code).toBe(
        "forbidden",
      );
    expect(settle(askOf({ kind: "approval" }), { action: "decline" }, PERSON, NOW)).toMatchObject({
      type: "ask.settled",
    });
  });

  test("[AU64] only a person declines or cancels a question, or cancels a task", () => {
    const questions = offerCancel([database]);
    const ask = askOf({ questions, origin: { ...askOf().origin, task: "t" } });
    const last: Settlement = { action: "answer", answers: [{ picks: [(questions[0]?.options.length ?? 0) - 1] }] };
    const others: Actor[] = [
      agent("other"),
      { type: "rule", surface: "autopilot", name: "r", kind: "question" },
      { type: "brain", surface: "cli" },
      { type: "system", surface: "x" },
    ];
    for (const actor of others) {
      expect(refused(ask, last, actor)).toMatchObject({
        code: "forbidden",
        message: "Only a person may cancel a task",
      });
      expect(refused(ask, { action: "cancel" }, actor).message).toBe("Only a person may cancel a question");
      expect(refused(ask, { action: "decline" }, actor).message).toBe("Only a person may decline a question");
      expect(settle(ask, { action: "answer", answers: [{ picks: [0] }] }, actor, NOW).type).toBe("ask.settled");
    }
    expect(settle(ask, last, PERSON, NOW)).toMatchObject({ outcome: { type: "cancelled" } });
  });

  test.each([undefined, "", "  "])("[SE6] chat without a message: %j", (message) => {
    const error = refused(askOf(), { action: "chat", message });
    expect([error.code, error.message]).toEqual(["invalid", "Chat needs a message"]);
    expect(error.problems).toEqual([
      { field: "message", message: "Chat needs a message", limit: "1 character or more", actual: "empty" },
    ]);
  });

  test("[SE7] answers that do not fit, every problem at once", () => {
    const questions = [database, features];
    const error = refused(askOf({ questions }), { action: "answer", answers: [{ picks: [0, 1] }, { picks: [9] }] });
    expect(error.code).toBe("invalid");
    expect(error.message).toBe("Select only one option; Unknown option: 9");
    expect(error.problems.map(({ field }) => field)).toEqual(["answers[0].picks", "answers[1].picks"]);
    expect(refused(askOf(), { action: "answer" }).message).toBe("Answers must be a list");
  });

  test("[SE8] who may not settle is told so before what is wrong with the answer or who was first", () => {
    const outcome = answered({ picks: [0] });
    expect(refused(askOf({ outcome }), { action: "chat" }, agent("asking-session")).code).toBe("self_answer");
    expect(refused(askOf({ outcome }), { action: "chat" }).code).toBe("already_settled");
  });

  test("[SE9] a version from the future is refused; an older one of an open Ask is as good", () => {
    const ask = askOf({ questions: [database], version: 3 });
    const settlement: Settlement = { action: "answer", answers: [{ picks: [0] }] };
    expect(settle(ask, { ...settlement, version: 2 }, PERSON, NOW).type).toBe("ask.settled");
    expect(refused(ask, { ...settlement, version: 4 })).toMatchObject({
      code: "stale_version",
      message: `Ask ${ask.id} is at version 3 here, not 4; look at it again`,
    });
  });

  test("[SE10] a note that could not reach the agent is refused", () => {
    const allow = { label: "Approve", description: "", recommended: false, effect: "allow" as const };
    const deny = { label: "Deny", description: "", recommended: false, effect: "deny" as const };
    const ask = askOf({ kind: "approval", questions: [{ ...database, options: [allow, deny] }] });
    const picked = (pick: number): Settlement => ({ action: "answer", answers: [{ picks: [pick], note: "why" }] });
    expect(settle(ask, picked(1), PERSON, NOW).type).toBe("ask.settled");
    expect(refused(ask, picked(0)).message).toBe('"Approve" takes no note: it would not reach the agent');
  });
});
