import { expect, test } from "bun:test";
import { answered, askOf, PERSON } from "../../../test/sample.ts";
import { isSnoozed } from "./ask-state.ts";
import { applyAskEvent } from "./lifecycle.ts";
import { snooze } from "./snooze.ts";

const at = 1_000_000;
const after = (wish: Parameters<typeof snooze>[1], ask = askOf()) =>
  applyAskEvent(ask, snooze(ask, wish, PERSON, at), { id: ask.id, at });

test("[IN6] a snoozed Ask stays open, for so many minutes or until a time", () => {
  const minutes = after({ minutes: 30 });
  expect(minutes).toMatchObject({ state: "open", version: 2, snoozedUntil: at + 1_800_000 });
  expect([isSnoozed(minutes, at), isSnoozed(minutes, at + 1_799_999), isSnoozed(minutes, at + 1_800_000)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(after({ until: at + 5 })).toMatchObject({ snoozedUntil: at + 5 });
  expect(isSnoozed(after({ minutes: 0 }, minutes), at)).toBe(false);
});

test("[IN7] a settled Ask is not snoozed, and late news of it change nothing", () => {
  const settled = askOf({ state: "settled", outcome: answered({ picks: [0] }) });
  expect(() => snooze(settled, { minutes: 1 }, PERSON, at)).toThrow("Already settled: answered by cli");
  const late = applyAskEvent(settled, { type: "ask.snoozed", until: at + 9, actor: PERSON }, { id: settled.id, at });
  expect([late.snoozedUntil, isSnoozed(late, at)]).toEqual([undefined, false]);
  expect(isSnoozed({ ...after({ minutes: 30 }), outcome: answered({ picks: [0] }) }, at)).toBe(false);
});

test("[IN8] a snooze names one time", () => {
  for (const wish of [{}, { minutes: 1, until: 2 }])
    expect(() => snooze(askOf(), wish, PERSON, at)).toThrow("Give either minutes or until");
});
