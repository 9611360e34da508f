import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { isForTerminal } from "../../core/ask/channel.ts";
import { checkAnswers } from "../../core/ask/answer/check-answer.ts";
import { asksSecret } from "../../core/ask/answer/field.ts";
import type { Question } from "../../core/ask/question.ts";
import { takesOwnWords } from "../../core/form/rows.ts";
import { safeLine } from "../../core/text/text.ts";
import { TERMINAL_ONLY } from "../../core/words/ask-words.ts";
import { describeAnswers } from "../../core/words/outcome/describe-answer.ts";
import { isEscalation, NO_WORDS, takesWords } from "../../core/words/outcome/refusal-words.ts";
import { type ChatDraft, current, newDraft, orNothing, passedOver } from "./chat-draft.ts";
import { fitsWhole, LONGEST, shownOf, textOf } from "./chat-text.ts";
import { isGrave, isPressable } from "./pressable.ts";

/** What a person does in a chat. Ticks say what is wanted, not "the other way round": one that comes twice is one. */
export type ChatInput =
  | { type: "press"; question: number; option: number }
  | { type: "tick"; question: number; option: number; on: boolean }
  | { type: "done"; question: number }
  /** A field is left as it is, or empty. */
  | { type: "pass"; question: number }
  | { type: "send" }
  | { type: "restart" }
  | { type: "words"; text: string }
  /** A form with all its questions, sent at once. */
  | { type: "sheet"; answers: readonly Answer[] };
export type ChatButton = { label: string; input: Exclude<ChatInput, { type: "words" | "sheet" }> };
/** One message: plain text, and a column of buttons. `hint`: what else can be done, said beside the buttons. */
export type ChatView = { text: string; buttons: ChatButton[]; hint: string };
export type ChatStep = { draft: ChatDraft; words: string } | { answers: Answer[] } | { refused: string };
/** `shown`: whoever showed it made sure that all of it was to be seen. */
export type Allowed = { approvals: boolean; page?: string | undefined; shown?: boolean };

const SEEN_KEPT = 50;
const NOTE = /^notes?:\s*/i;
const NOT_HERE = "This one is not answered here: see your inbox";
const NO_SECRET = "A secret is not for a chat: see your inbox";
const ONLY_A_PART = "Only a part of this question fits here: answer it in your inbox";

/** What the message shows now. Contract: safe and bounded, whatever the model wrote. */
export function chatView(ask: Ask, draft: ChatDraft, agent: string, allowed: Allowed): ChatView {
  const at = current(draft);
  const whole = textOf(ask, draft, at, agent);
  const isCut = whole.length > LONGEST.text;
  const text = isCut ? `${cutAt(whole, LONGEST.text - 1)}…` : whole;
  const where = whereOf(ask, allowed);
  if (refusalFor(ask, allowed) !== undefined) return { text: `${text}\n\n${where}`, buttons: [], hint: "" };
  const question = ask.questions[at];
  const buttons = question ? [...buttonsOf(question, at, draft), ...passButtons(ask, at)] : [SEND, RESTART];
  return { text: isCut ? `${text}\n\n${where}` : text, buttons, hint: question ? hintOf(question) : "" };
}

/** Where it is answered, or seen whole. */
export function whereOf(ask: Ask, { page }: Pick<Allowed, "page">): string {
  const where = page ?? `In your inbox: parley show ${ask.id}`;
  return isForTerminal(ask) ? `${TERMINAL_ONLY}\n${where}` : where;
}

/** What an input makes of it. Contract: pure; only what is known and may be chosen here becomes an answer. */
export function chatStep(ask: Ask, before: ChatDraft, id: string, input: ChatInput, allowed: Allowed): ChatStep {
  const refusal = refusalFor(ask, allowed);
  if (refusal !== undefined) return { refused: refusal };
  // Came before, and is in it.
  if (before.seen.includes(id)) return { draft: before, words: "Noted" };
  const draft: ChatDraft = { ...before, seen: [...before.seen, id].slice(-SEEN_KEPT) };
  switch (input.type) {
    case "press":
      return pick(input.question, [input.option]);
    case "tick": {
      const { question: q, option, on } = input;
      const problem = problemWith(ask.questions[q], [option], true);
      if (problem !== undefined) return { refused: problem };
      const ticks = (draft.ticks[q] ?? []).filter((ticked) => ticked !== option);
      return kept({ ...draft, ticks: draft.ticks.with(q, on ? [...ticks, option] : ticks), answers: clear(q) });
    }
    case "done": {
      const ticks = draft.ticks[input.question] ?? [];
      return ticks.length === 0 ? { refused: "Nothing is ticked yet" } : pick(input.question, ticks, true);
    }
    case "pass": {
      const left = passedOver(ask, input.question);
      return left ? answer(input.question, left) : { refused: "This one wants an answer" };
    }
    case "send":
      return draft.answers.includes(null) ? kept(draft) : { answers: draft.answers.map(orNothing) };
    case "restart":
      return kept({ ...newDraft(ask), seen: draft.seen });
    case "words":
      return typed(input.text.trim());
    case "sheet":
      return whole(input.answers);
  }

  function whole(answers: readonly Answer[]): ChatStep {
    if (answers.length !== ask.questions.length) return { refused: "The form is about other questions: open it again" };
    for (const [at, given] of answers.entries()) {
      const { picks, text } = given;
      const question = ask.questions[at];
      const place = answers.length > 1 ? `Question ${at + 1}: ` : "";
      const problem =
        problemWith(question, picks, picks.length > 1) ??
        (question?.field ? valueProblem(question, given) : ownWordsProblem(question, picks, text));
      if (problem !== undefined) return { refused: `${place}${problem}` };
    }
    return { answers: [...answers] };
  }

  function typed(text: string): ChatStep {
    const at = current(draft);
    const question = ask.questions[at];
    if (text === "") return { refused: "There were no words in it" };
    const isValue = question?.field !== undefined && question.options.length === 0;
    if (NOTE.test(text) && !isValue) {
      if (!takesWords(ask)) return { refused: NO_WORDS };
      const note = text.replace(NOTE, "");
      return { draft: { ...draft, note }, words: "Noted: it goes along with what you choose" };
    }
    if (!question) return { refused: "All is answered: press Send, or Start over" };
    const numbers = /^\d{1,3}([\s,]+\d{1,3})*$/.test(text) ? text.split(/[\s,]+/).map((n) => Number(n) - 1) : [];
    const isList = numbers.length > 0 && numbers.every((n) => question.options[n] !== undefined);
    if (isList && (question.multiSelect || numbers.length === 1)) return pick(at, [...new Set(numbers)]);
    if (!takesOwnWords(question))
      return {
        refused: `Choose one of its buttons${takesWords(ask) ? `; "note: …" adds words to what you choose` : ""}`,
      };
    return answer(at, { picks: question.multiSelect ? (draft.ticks[at] ?? []) : [], text });
  }

  function pick(at: number, picks: readonly number[], isSecond = false): ChatStep {
    const problem = problemWith(ask.questions[at], picks, false);
    if (problem !== undefined) return { refused: problem };
    return answer(at, { picks: picks.toSorted((a, b) => a - b) }, isSecond);
  }

  /**
   * One question is answered with it. Of several it is kept until all are, and sent by a press of its own; and so it is where
   * something is at stake. `isSecond`: a press came before this one.
   */
  function answer(at: number, given: Answer, isSecond = false): ChatStep {
    const { note, ...rest } = draft;
    const question = ask.questions[at];
    const problem = question ? valueProblem(question, given) : "There is no such question";
    if (problem !== undefined) return { refused: problem };
    const noted = { ...given, ...(note !== undefined && { note }) };
    if (ask.questions.length === 1 && (isSecond || !isGrave(ask))) return { answers: [noted] };
    return kept({ ...rest, answers: draft.answers.with(at, noted) });
  }

  function kept(next: ChatDraft): ChatStep {
    return { draft: next, words: current(next) < ask.questions.length ? "Noted" : "Press Send when it is right" };
  }

  function clear(at: number) {
    return draft.answers.with(at, null);
  }
}

const SEND: ChatButton = { label: "Send", input: { type: "send" } };
const RESTART: ChatButton = { label: "Start over", input: { type: "restart" } };

/** Nobody presses for something of which they have seen a part, and what may do more than answer is for the inbox. */
export function refusalFor(ask: Ask, { approvals, shown = false }: Allowed): string | undefined {
  if (isForTerminal(ask)) return TERMINAL_ONLY.replace(/\.$/, "");
  const isAllowed =
    ask.kind === "question" ||
    ask.kind === "elicitation" ||
    isEscalation(ask) ||
    (approvals && (ask.kind === "approval" || ask.kind === "plan"));
  if (!isAllowed || ask.questions.length === 0) return NOT_HERE;
  if (asksSecret(ask)) return NO_SECRET;
  if (ask.questions.some(({ field }) => field && !FIELDS.has(field.type))) return NOT_HERE;
  return shown || shownOf(ask).every(fitsWhole) ? undefined : ONLY_A_PART;
}

/** An address is opened where its agent is, by whoever sits there. */
const FIELDS = new Set(["text", "number", "integer", "boolean", "choice", "choices"]);

function problemWith(question: Question | undefined, picks: readonly number[], ticking: boolean): string | undefined {
  if (!question || picks.some((pick) => question.options[pick] === undefined)) return "There is no such option";
  if (picks.some((pick) => !isPressable(question.options[pick])))
    return "That option does more than answer this: choose it in your inbox";
  return ticking && !question.multiSelect ? "Only one can be chosen" : undefined;
}

/** Said when it is given, not when all is sent. */
function valueProblem(question: Question, given: Answer): string | undefined {
  const checked = checkAnswers([question], [given]);
  return checked.ok ? undefined : (checked.problems[0]?.message ?? "That is no answer to it");
}

function ownWordsProblem(
  question: Question | undefined,
  picks: readonly number[],
  text: string | undefined,
): string | undefined {
  if (text === undefined) return picks.length === 0 ? "Nothing is chosen yet" : undefined;
  if (!question || !takesOwnWords(question)) return "Choose one of its options; a note adds words to that";
  return picks.length > 0 && !question.multiSelect ? "Choose one, or write your own words: not both" : undefined;
}

function buttonsOf({ options, multiSelect }: Question, at: number, draft: ChatDraft): ChatButton[] {
  const ticks = draft.ticks[at] ?? [];
  const buttons = options.flatMap((option, i): ChatButton[] => {
    if (!isPressable(option)) return [];
    const name = `${i + 1}. ${safeLine(option.label, { max: LONGEST.label })}`;
    if (!multiSelect) return [{ label: name, input: { type: "press", question: at, option: i } }];
    const on = !ticks.includes(i);
    return [{ label: `${on ? "☐" : "☑"} ${name}`, input: { type: "tick", question: at, option: i, on } }];
  });
  const done = ticks.length === 0 ? `Done` : `Done (${ticks.length} chosen)`;
  return multiSelect ? [...buttons, { label: done, input: { type: "done", question: at } }] : buttons;
}

function passButtons(ask: Ask, at: number): ChatButton[] {
  const question = ask.questions[at];
  const left = passedOver(ask, at);
  if (!question || !left) return [];
  const isEmpty = left.picks.length === 0 && left.text === undefined;
  // It is an option already.
  if (isEmpty && question.options.length > 0 && !question.multiSelect) return [];
  const words = safeLine(describeAnswers([question], [left]), { max: LONGEST.label });
  return [{ label: isEmpty ? "Leave it empty" : `Keep: ${words}`, input: { type: "pass", question: at } }];
}

function hintOf(question: Question): string {
  if (question.field) return question.options.length === 0 ? "Reply to this message with what goes there." : "";
  const note = `"note: …" adds a note to what you choose`;
  return takesOwnWords(question)
    ? `Reply to this message to answer in your own words; ${note}.`
    : `Reply with ${note}.`;
}

/** Not through the middle of a character. */
function cutAt(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.toWellFormed() === cut ? cut : cut.slice(0, -1);
}
