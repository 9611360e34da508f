import { deciderName } from "../ask/answer/agreement.ts";
import type { AskEvent } from "../ask/event.ts";
import type { WayEvent } from "../ask/event-lists.ts";
import type { Question } from "../ask/question.ts";
import { safeLine } from "../text/text.ts";
import { byActorInFull } from "./outcome/actor-words.ts";
import { describeAnswers } from "./outcome/describe-answer.ts";
import { messagedWords } from "./messaged-words.ts";
import { outcomeWords } from "./outcome/outcome-words.ts";
import { clock } from "./time.ts";

/** What happened to an Ask, as one line of its history; the way to its hook and back is told by `deliveryWords`. */
export function askEventWords(event: Exclude<AskEvent, WayEvent>, questions: readonly Question[]): string {
  switch (event.type) {
    case "ask.captured":
      return "asked";
    case "ask.typing":
      return `keys are pressed in pane ${safeLine(event.pane, { max: 40 })}`;
    case "ask.autopilot":
      return pilotWords(event);
    case "ask.reviewed":
      return reviewWords(event, questions);
    case "ask.corrected":
      return event.isBack
        ? "the correction could not be handed on: it is told later"
        : `its agent is told of the correction (${safeLine(event.to, { max: 60 })})`;
    case "ask.snoozed":
      return `snoozed until ${clock(event.until)} by ${safeLine(event.actor.surface, { max: 40 })}`;
    case "ask.settled":
    case "ask.ended":
    case "ask.closed":
      return outcomeWords(event.outcome, questions);
    case "ask.verified":
      return event.detail ? `verified; receipt: ${safeLine(event.detail, { max: 300 })}` : "verified";
    case "ask.mismatched":
      return `mismatched: ${safeLine(event.detail, { max: 300 })}`;
    case "ask.told":
      return `the decider was told (${safeLine(event.to, { max: 60 })})`;
    case "ask.messaged":
      return messagedWords(event);
  }
  // What a later Parley wrote.
  return safeLine((event as { type: string }).type, { max: 80 });
}

function reviewWords(
  { verdict, actor, answers }: AskEvent & { type: "ask.reviewed" },
  questions: readonly Question[],
): string {
  const to = answers ? ` to ${safeLine(describeAnswers(questions, answers), { max: 300 })}` : "";
  return `${verdict === "withdrawn" ? "trust withdrawn" : verdict}${to} ${byActorInFull(actor)}`;
}

function pilotWords({ state, why, brain, proposal, due, actor }: AskEvent & { type: "ask.autopilot" }): string {
  const by = proposal ? deciderName(proposal.by) : (brain ?? "");
  const words = {
    asking: `${safeLine(brain ?? "a brain", { max: 40 })} is asked`,
    held: `${safeLine(by, { max: 60 })} answers${due === undefined ? "" : ` at ${clock(due).slice(11)}`}`,
    suggested: `${safeLine(by, { max: 60 })} proposes an answer`,
    human: "left to a person",
    paused: "left to a person for now",
    undone: `taken back${actor ? ` ${byActorInFull(actor)}` : ""}`,
    late: proposal ? `${safeLine(by, { max: 60 })} answered too late` : "pointed out",
  }[state];
  return `autopilot: ${words}: ${safeLine(why, { max: 300 })}`;
}
