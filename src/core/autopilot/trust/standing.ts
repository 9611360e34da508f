import { isAtLeast, isEarned, type Stage } from "./stage.ts";

/**
 * open: a person was asked · answered: by a person, where the same as before is what counts · equal / differed: from what
 * the decider would have said · sent: it went out alone · undone: a person took it back · agreed / corrected: a person
 * said so afterwards · withdrawn: a person wants it no more.
 */
export type MarkResult =
  | "open"
  | "answered"
  | "equal"
  | "differed"
  | "sent"
  | "undone"
  | "agreed"
  | "corrected"
  | "withdrawn";

/** What became of one opinion of one decider. `choice`: what was answered; none for own words. */
export type Mark = { at: number; ask: string; session: string; result: MarkResult; shown?: boolean; choice?: string };

/** `needed`: so many equal answers in a row; 0: nothing has to be earned. `base`: where it begins. */
export type Terms = { needed: number; base: "watching" | "suggesting"; every: number; days: number };

/** `score`: equal answers in a row, what was shown before counting half. */
export type Standing = {
  stage: Stage;
  score: number;
  needed: number;
  equal: number;
  sessions: number;
  /** Answers that went out alone since a person was last asked, and whether it is a person's turn. */
  sent: number;
  isTurn: boolean;
  /** The last word of a person was against it. */
  isRefused: boolean;
  /** When the row of equal answers began, and when it was last of use. */
  since?: number;
  usedAt?: number;
  /** How often trust was lost, and how it was lost the last time. */
  lost: number;
  lostBy?: MarkResult | "unused";
};

const DAY_MS = 86_400_000;
const AUTOMATIC_FROM = 2;
const LEAST_SESSIONS = 2;

/** Contract: the same for the same marks, which come oldest first; nothing but a person's own answers adds to the score. */
export function standingFrom(marks: readonly Mark[], terms: Terms, now: number): Standing {
  const row = createRow(terms);
  for (const mark of marks) row.take(mark);
  return row.standing(now);
}

function createRow({ needed: first, base, every, days }: Terms) {
  let needed = first;
  let lost = 0;
  let lostBy: Standing["lostBy"];
  let [score, equal, sent] = [0, 0, 0];
  let isRefused = false;
  let last: string | undefined;
  let since: number | undefined;
  let usedAt: number | undefined;
  let sessions = new Set<string>();

  function stage(): Stage {
    if (first === 0) return "held";
    const isBroad = sessions.size >= LEAST_SESSIONS;
    if (isBroad && score >= needed * AUTOMATIC_FROM) return "automatic";
    if (isBroad && score >= needed) return "held";
    return score >= Math.max(1, needed - 1) ? "suggesting" : base;
  }

  function begin(): void {
    [score, equal, sent] = [0, 0, 0];
    sessions = new Set();
    since = undefined;
  }

  /** Each time it takes twice as much: where people answer now so, now otherwise, a row of equal answers is chance. */
  function lose(by: Standing["lostBy"], isHarder: boolean): void {
    if (isHarder) needed *= 2;
    lost += 1;
    lostBy = by;
    begin();
  }

  function gain({ at, session, shown }: Mark, points: number): void {
    score += shown ? points / 2 : points;
    equal += 1;
    since ??= at;
    sessions.add(session);
    isRefused = false;
  }

  function rest(at: number): void {
    if (usedAt !== undefined && at - usedAt > days * DAY_MS) lose("unused", false);
  }

  return {
    take(mark: Mark): void {
      const { result, choice, at } = mark;
      rest(at);
      usedAt = at;
      if (result === "sent") return void (sent += 1);
      if (result === "open") return void (sent = 0);
      if (result === "equal") gain(mark, 1);
      else if (result === "agreed") gain({ ...mark, shown: true }, 1);
      else if (result === "answered" && choice !== undefined && (last === undefined || choice === last)) gain(mark, 1);
      else {
        lose(result === "answered" ? "differed" : result, true);
        isRefused = true;
        // The answer that differed is the first of its own row.
        if (result === "answered" && choice !== undefined) gain({ ...mark, shown: false }, 1);
      }
      if (result === "answered") last = choice;
      if (result !== "agreed") sent = 0;
    },
    standing(now: number): Standing {
      rest(now);
      const reached = stage();
      return {
        stage: reached,
        score,
        needed,
        equal,
        sessions: sessions.size,
        sent,
        isTurn: first > 0 && isEarned(reached) && sent >= every - 1,
        isRefused,
        ...(since !== undefined && { since }),
        ...(usedAt !== undefined && { usedAt }),
        lost,
        ...(lostBy !== undefined && { lostBy }),
      };
    },
  };
}

/** Of a rule or brain: what it earned with this question, or with all of them where a person did not refuse it here. */
export function better(here: Standing, anywhere: Standing): Standing {
  if (here.isRefused || isAtLeast(here.stage, anywhere.stage)) return here;
  return anywhere;
}
