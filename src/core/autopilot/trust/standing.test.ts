import { expect, test } from "bun:test";
import { better, type Mark, type MarkResult, standingFrom, type Terms } from "./standing.ts";

const DAY = 86_400_000;
const TEMPLATE: Terms = { needed: 5, base: "watching", every: 10, days: 60 };
const RULE: Terms = { needed: 12, base: "suggesting", every: 10, days: 60 };

/** Two sessions by turns, an hour apart. */
const marks = (...results: (MarkResult | Partial<Mark>)[]): Mark[] =>
  results.map((given, i) => ({
    at: i * 3_600_000,
    ask: `a${i}`,
    session: `s${i % 2}`,
    ...(typeof given === "string" ? { result: given } : { result: "equal" as const, ...given }),
  }));
const times = (count: number, given: MarkResult | Partial<Mark>) => Array.from({ length: count }, () => given);
const at = (terms: Terms, ...results: (MarkResult | Partial<Mark>)[]) => {
  const list = marks(...results);
  return standingFrom(list, terms, list.at(-1)?.at ?? 0);
};
const yes: Partial<Mark> = { result: "answered", choice: "yes" };

test("[TU5] a template goes from watching to suggesting, held and automatic by equal answers in a row", () => {
  const stages = [0, 1, 2, 3, 4, 5, 9, 10].map((count) => at(TEMPLATE, ...times(count, yes)).stage);
  expect(stages).toEqual(["watching", "watching", "watching", "watching", "suggesting", "held", "held", "automatic"]);
  expect(at(TEMPLATE, ...times(5, yes))).toMatchObject({ score: 5, needed: 5, equal: 5, sessions: 2, since: 0 });
});

test("[TU6] one session alone earns nothing that goes out by itself", () => {
  const once = { ...yes, session: "only" };
  expect(at(TEMPLATE, ...times(20, once))).toMatchObject({ stage: "suggesting", sessions: 1 });
  expect(at(TEMPLATE, ...times(20, once), yes).stage).toBe("automatic");
});

test("[TU7] an accepted suggestion counts half, and silence nothing", () => {
  expect(at(RULE, ...times(12, "equal"))).toMatchObject({ stage: "held", score: 12 });
  expect(at(RULE, ...times(12, { shown: true }))).toMatchObject({ stage: "suggesting", score: 6, equal: 12 });
  expect(at(RULE, ...times(24, { shown: true })).stage).toBe("held");
  expect(at(RULE, ...times(12, "equal"), ...times(200, "sent")).score).toBe(12);
});

test.each(["differed", "undone", "corrected", "withdrawn", "own words"] as const)(
  "[TU8] one that is %s ends the trust and doubles what it takes",
  (how) => {
    const against: Partial<Mark> = how === "own words" ? { result: "answered" } : { result: how };
    const lost = at(TEMPLATE, ...times(5, yes), against);
    expect(lost).toMatchObject({ stage: "watching", score: 0, needed: 10, lost: 1, isRefused: true });
    expect(at(TEMPLATE, ...times(5, yes), against, ...times(8, yes)).stage).toBe("watching");
    expect(at(TEMPLATE, ...times(5, yes), against, ...times(11, yes)).stage).toBe("held");
    const twice = at(TEMPLATE, ...times(5, yes), against, ...times(11, yes), against);
    expect(twice).toMatchObject({ needed: 20, lost: 2 });
  },
);

test("[TU9] another answer begins its own row, and takes twice as many, also while it only watches", () => {
  const no = { ...yes, choice: "no" };
  expect(at(TEMPLATE, yes, no)).toMatchObject({ score: 1, needed: 10, lost: 1 });
  expect(at(TEMPLATE, ...times(5, yes), no)).toMatchObject({ score: 1, needed: 10, lostBy: "differed" });
  expect(at(RULE, "equal", "differed", "equal")).toMatchObject({ score: 1, needed: 24, stage: "suggesting" });
});

test("[TU10] every tenth is asked anyway, and the count begins anew with each that is asked", () => {
  const earned = times(5, yes);
  const turns = [0, 8, 9, 10].map((sent) => at(TEMPLATE, ...earned, ...times(sent, "sent")).isTurn);
  expect(turns).toEqual([false, false, true, true]);
  expect(at(TEMPLATE, ...earned, ...times(9, "sent"), "open")).toMatchObject({ isTurn: false, sent: 0 });
  expect(at(TEMPLATE, ...earned, ...times(9, "sent"), yes)).toMatchObject({ isTurn: false, score: 6 });
  expect(at(TEMPLATE, ...times(3, yes), ...times(20, "sent")).isTurn).toBe(false);
});

test("[TU11] what was not used for 60 days begins anew, and no harder", () => {
  const earned = marks(...times(5, yes));
  const end = earned.at(-1)?.at ?? 0;
  expect(standingFrom(earned, TEMPLATE, end + 60 * DAY).stage).toBe("held");
  expect(standingFrom(earned, TEMPLATE, end + 60 * DAY + 1)).toMatchObject({
    stage: "watching",
    needed: 5,
    lostBy: "unused",
  });
  const later: Mark = { at: end + 61 * DAY, ask: "b", session: "s9", result: "sent" };
  expect(standingFrom([...earned, later], TEMPLATE, later.at).stage).toBe("watching");
});

test("[TU12] with nothing to be earned it answers, and nobody is asked in between", () => {
  expect(at({ ...RULE, needed: 0 }, ...times(30, "sent"), "differed")).toMatchObject({ stage: "held", isTurn: false });
});

test("[TU13] what a rule earned with other questions does not count where a person refused it", () => {
  const anywhere = at(RULE, ...times(12, "equal"));
  const [fresh, refused, again] = [at(TEMPLATE), at(TEMPLATE, "differed"), at(TEMPLATE, "differed", "equal")];
  expect(better(fresh, anywhere).stage).toBe("held");
  expect(better(refused, anywhere).stage).toBe("watching");
  expect(better(again, anywhere).stage).toBe("held");
});
