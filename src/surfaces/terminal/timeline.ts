import type { AskEvent, LogEvent } from "../../core/ask/event.ts";
import type { Question } from "../../core/ask/question.ts";
import { askEventWords } from "../../core/words/ask-event-words.ts";
import { isAboutItsWay } from "../../core/ask/event-lists.ts";
import { deliveryWords } from "../../core/words/outcome/delivery-words.ts";
import { clock } from "../../core/words/time.ts";
import type { AskView } from "../../protocol/view.ts";
import { hang } from "./columns.ts";
import type { Terminal } from "./terminal.ts";

/** Who, where, when: one entry for each thing that happened to an Ask. What Parley only learned of it is no such thing. */
export function timeline(ask: AskView, events: readonly LogEvent[], { style, width }: Terminal): string[] {
  const isLearned = ({ type, data }: LogEvent) =>
    type === "ask.context" || (type === "ask.joined" && data["replaces"] !== undefined);
  return events
    .filter((event) => !isLearned(event))
    .flatMap(({ at, data }) =>
      hang(`${style.dim(clock(at))}  `, describeEvent(data as AskEvent, ask.questions), width),
    );
}

export const describeEvent = (event: AskEvent, questions: readonly Question[]): string =>
  isAboutItsWay(event) ? deliveryWords(event) : askEventWords(event, questions);
