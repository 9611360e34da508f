import { deciderName, isAutopilot, isSame } from "../../ask/answer/agreement.ts";
import type { Ask } from "../../ask/ask.ts";
import type { Outcome } from "../../ask/outcome.ts";
import type { Opinion, Review } from "../../ask/proposal.ts";
import { isUnread } from "../../words/outcome/describe-answer.ts";
import { choiceIn } from "../ladder/precedent.ts";
import { ANY_QUESTION, deciderTitle, PRECEDENT } from "./stage.ts";
import type { Mark, MarkResult } from "./standing.ts";

/** Whose trust it is: of one decider, in one project, with one question or with any. */
export type TrustKey = { project: string; decider: string; question: string };
/** `part`: several can be of one Ask, one after the other. */
export type TrustMark = TrustKey & Mark & { title: string; part: number };

/** What an Ask adds to the ledger of trust, as it is now. Contract: nothing without a project: trust is never guessed across them. */
export function marksOf(ask: Ask): TrustMark[] {
  const { project } = ask.origin;
  if (project === undefined) return [];
  return (ask.autopilot?.opinions ?? []).flatMap((opinion) => {
    const { decider, title } = opinion;
    const own = [
      ...outcomeMark(ask, opinion),
      ...(ask.reviews ?? []).flatMap((review) => reviewMark(ask, opinion, review)),
    ];
    return rowsOf(opinion).flatMap((question) =>
      own
        .filter(({ only }) => only === undefined || (only.decider === decider && only.question === question))
        .map(({ only: _only, ...mark }, part) => ({
          project,
          decider,
          question,
          title: question === ANY_QUESTION ? "" : title,
          ask: ask.id,
          session: sessionOf(ask),
          part,
          ...mark,
        })),
    );
  });
}

/** A rule or brain earns trust with the question, and with all of its questions together. */
export const rowsOf = ({ decider, question }: Pick<Opinion, "decider" | "question">): string[] =>
  decider === PRECEDENT ? [question] : [question, ANY_QUESTION];

type Own = Pick<Mark, "at" | "result" | "shown" | "choice"> & { only?: { decider?: string; question?: string } };

function outcomeMark(ask: Ask, opinion: Opinion): Own[] {
  const { outcome, autopilot } = ask;
  const shown = opinion.shown ? { shown: true } : {};
  const at = outcome?.at ?? autopilot?.at ?? ask.updatedAt;
  if (!outcome) {
    if (autopilot?.takenBack) return [{ at, result: "undone" }];
    const isOut = autopilot?.state === "held" && isBy(opinion, autopilot.proposal?.by);
    return [{ at, result: isOut ? "sent" : "open" }];
  }
  if (isAutopilot(outcome.actor)) return isBy(opinion, outcome.actor) ? [{ at, result: "sent" }] : [];
  if (outcome.actor.type !== "person" || outcome.answers?.some(isUnread)) return [];
  if (autopilot?.takenBack) return [{ at, result: "undone" }];
  return [{ at, ...shown, ...answerMark(ask, outcome, opinion) }];
}

function answerMark(
  ask: Ask,
  outcome: Outcome,
  { decider, answers }: Opinion,
): { result: MarkResult; choice?: string } {
  const isOwn = !outcome.answers || outcome.answers.some(({ text }) => text !== undefined);
  if (decider === PRECEDENT) {
    const choice = ask.questions.map((question, i) => choiceIn(question, outcome.answers?.[i] ?? { picks: [] }));
    return { result: "answered", ...(!isOwn && { choice: JSON.stringify(choice) }) };
  }
  return { result: !isOwn && isSaid(outcome, { answers }) ? "equal" : "differed" };
}

const isSaid = (outcome: Outcome, { answers }: Pick<Opinion, "answers">) =>
  answers !== undefined && isSame(outcome, { action: "answer", answers });

function reviewMark({ outcome }: Ask, opinion: Opinion, { verdict, at, decider, question }: Review): Own[] {
  if (decider !== undefined && question !== undefined) return [{ at, result: verdict, only: { decider, question } }];
  if (!outcome || !isAutopilot(outcome.actor)) return [];
  // Who would have said the same was as wrong; who only said so too has earned nothing by it.
  const isMeant = isBy(opinion, outcome.actor) || (verdict !== "agreed" && isSaid(outcome, opinion));
  return isMeant ? [{ at, result: verdict }] : [];
}

function isBy({ decider }: Opinion, actor: Outcome["actor"] | undefined): boolean {
  if (!actor) return false;
  const name = deciderTitle(decider);
  return name === PRECEDENT ? actor.name === PRECEDENT : name === deciderName(actor);
}

/** Who asks without a session is known by the process that asks. */
function sessionOf({ origin: { session, inside, task, process: asker } }: Ask): string {
  return session ?? inside ?? task ?? (asker ? `${asker.pid} ${asker.started ?? ""}` : "");
}
