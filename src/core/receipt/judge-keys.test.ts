import { expect, test } from "bun:test";
import { answered, askOf, delivery } from "../../../test/sample.ts";
import type { Outcome } from "../ask/outcome.ts";
import { judge } from "./judge.ts";
import { applyAskEvent } from "../ask/lifecycle.ts";
import type { Received } from "./received.ts";

const TYPED = delivery({ state: "sent", channel: "keys", typedAt: 5 });
const BEGUN = delivery({ state: "waiting", channel: "keys", typedAt: 5 });
const sqlite: Received = { type: "answers", choices: [{ labels: ["SQLite"] }], text: "read", decidedBy: "person" };
const postgres: Received = { type: "answers", choices: [{ labels: ["Postgres"] }], text: "read", decidedBy: "person" };
const refused = (by: "escape" | "chat"): Received => ({ type: "refused", by, text: "The user refused" });

const verdict = (outcome: Outcome, where = TYPED, received: Received = sqlite) =>
  judge(askOf({ outcome, deliveries: [where] }), where, received, 9)?.type;

test("[KW1] what was typed is verified by the record, also where no person answered and no note can say so", () => {
  expect(verdict(answered({ picks: [0] }))).toBe("ask.verified");
  const byRule = { ...answered({ picks: [0] }), actor: { type: "rule", surface: "autopilot" } } as const;
  expect(verdict(byRule)).toBe("ask.verified");
});

test("[KW2] another answer than the typed one is a mismatch, though the terminal gave it: our keys were in it", () => {
  expect(verdict(answered({ picks: [0] }), TYPED, postgres)).toBe("ask.mismatched");
  expect(verdict(answered({ picks: [0] }), BEGUN, postgres)).toBe("ask.mismatched");
  expect(verdict(answered({ picks: [0] }), TYPED, refused("escape"))).toBe("ask.mismatched");
});

test("[KW3] before the first key another answer is a person's who was first", () => {
  expect(verdict(answered({ picks: [0] }), delivery({ state: "waiting", channel: "keys" }), postgres)).toBe(
    "ask.ended",
  );
});

test("[KW4] a typed chat is proved by the dialog's own refusal, and by no other", () => {
  const chat: Outcome = { ...answered({ picks: [0] }), type: "chat", answers: undefined, message: "Neither." };
  expect(verdict(chat, TYPED, refused("chat"))).toBe("ask.verified");
  expect(verdict(chat, TYPED, refused("escape"))).toBe("ask.mismatched");
  expect(verdict(chat, TYPED, sqlite)).toBe("ask.mismatched");
});

test("[KW5] that keys were begun is kept with the delivery, and clears an earlier reason why not", () => {
  const ask = askOf({ outcome: answered({ picks: [0] }), deliveries: [delivery({ released: "no dialog there" })] });
  const typing = { type: "ask.typing", key: "toolu_1", pane: "%3" } as const;
  const [typed] = applyAskEvent(ask, typing, { id: ask.id, at: 7 }).deliveries;
  expect(typed).toMatchObject({ state: "waiting", channel: "keys", typedAt: 7, released: undefined });
});
