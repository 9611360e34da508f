import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { takesOwnWords } from "../../core/form/rows.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import { passedOver } from "./chat-draft.ts";
import { type Allowed, refusalFor, whereOf } from "./chat-form.ts";
import { headLines, optionLines, shownOf } from "./chat-text.ts";
import { isGrave, isPressable } from "./pressable.ts";

export type SheetQuestion = {
  text: string;
  /** What it is about: a command, a diff, a plan. */
  body?: string;
  /** Its options, numbered, with what they mean. */
  lines: string[];
  /** Those that may be chosen here. */
  options: { option: number; label: string }[];
  multiSelect: boolean;
  ownWords: boolean;
  /** A value, and no note beside it. `start`: what stands there first. */
  field?: { isFree: boolean; start: Answer };
};
/**
 * An Ask as a chat with forms shows it: all questions at once. `where`: it is not answered here, or only a part is shown; this
 * is where to look. `more`: how many others it stands for. `isGrave`: only by its form.
 */
export type Sheet = {
  ask: string;
  version: number;
  head: string[];
  questions: SheetQuestion[];
  where?: string;
  isGrave?: true;
  more?: string;
};

const LONGEST = { part: 2800, label: 150 };
/** Of 50 blocks in a message and 100 in a form. */
const MOST_QUESTIONS = 10;

/** Contract: safe and bounded, whatever the model wrote; what can be answered here is shown whole. */
export function sheetOf(ask: Ask, agent: string, allowed: Allowed): Sheet {
  const isElsewhere = refusalFor(ask, allowed) !== undefined || ask.questions.length > MOST_QUESTIONS;
  const questions = shownOf(ask)
    .slice(0, MOST_QUESTIONS)
    .map((question, at): SheetQuestion => {
      const { text, body = "", options, multiSelect } = question;
      const about = safeText(body, { max: LONGEST.part }).trim();
      return {
        text: safeText(text, { max: LONGEST.part }).trim() || "?",
        ...(about !== "" && { body: about }),
        lines: optionLines(question),
        options: options.flatMap((option, i) =>
          isPressable(option)
            ? [{ option: i, label: `${i + 1}. ${safeLine(option.label, { max: LONGEST.label })}` }]
            : [],
        ),
        multiSelect,
        ownWords: takesOwnWords(question),
        ...(question.field && { field: fieldOf(ask, at) }),
      };
    });
  return {
    ask: ask.id,
    version: ask.version,
    head: headLines(ask, agent),
    questions,
    ...(isElsewhere ? { where: whereOf(ask, allowed) } : isGrave(ask) && { isGrave: true }),
  };
}

/** What may be left empty is filled in or not: `isFree`. */
function fieldOf(ask: Ask, at: number): { isFree: boolean; start: Answer } {
  const left = passedOver(ask, at);
  return { isFree: ask.questions[at]?.field?.optional === true, start: left ?? { picks: [] } };
}
