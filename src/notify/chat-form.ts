import type { Answer } from "../core/ask/answer.ts";
import type { Ask } from "../core/ask/ask.ts";
import { askTitle } from "../core/ask/title.ts";
import type { Question } from "../core/ask/question.ts";
import { takesOwnWords } from "../core/form/rows.ts";
import { safeLine, safeText } from "../core/text/text.ts";
import { titleIn } from "../core/words/session-words.ts";
import { describeAnswers } from "../core/words/describe-answer.ts";
import { isPressable } from "./pressable.ts";

/** What a person does in a chat. Ticks say what is wanted, not "the other way round": one that comes twice is one. */
export type ChatInput =
  | { type: "press"; question: number; option: number }
  | { type: "tick"; question: number; option: number; on: boolean }
  | { type: "done"; question: number }
  | { type: "send" }
  | { type: "restart" }
  | { type: "words"; text: string }
  /** A form with all its questions, sent at once. */
  | { type: "sheet"; answers: readonly Answer[] };
export type ChatButton = { label: string; input: Exclude<ChatInput, { type: "words" | "sheet" }> };
/** One message: plain text, and a column of buttons. `hint`: what else can be done, said beside the buttons. */
export type ChatView = { text: string; buttons: ChatButton[]; hint: string };
/** What a person has chosen so far; `seen`: what of theirs is in it already. */
export type ChatDraft = { answers: (Answer | null)[]; ticks: number[][]; note?: string; seen: string[] };
export type ChatStep = { draft: ChatDraft; words: string } | { answers: Answer[] } | { refused: string };
/** `shown`: whoever showed it made sure that all of it was to be seen. */
export type Allowed = { approvals: boolean; page?: string | undefined; shown?: boolean };

/** Of the 4096 characters a message may have, with room for what became of it. */
const LONGEST = { text: 3400, label: 60, option: 200, words: 300 };
/** Room for where it comes from, and for a note. */
const HEAD = 600;
const MOST_BUTTONS = 50;
const SEEN_KEPT = 50;
const NOTE = /^notes?:\s*/i;
const NOT_HERE = "This one is not answered here: see your inbox";
export const ONLY_A_PART = "Only a part of this question fits here: answer it in your inbox";

export const newDraft = ({ questions }: Pick<Ask, "questions">): ChatDraft => ({
  answers: questions.map(() => null),
  ticks: questions.map(() => []),
  seen: [],
});

/** What the message shows now. Contract: safe and bounded, whatever the model wrote. */
export function chatView(ask: Ask, draft: ChatDraft, agent: string, allowed: Allowed): ChatView {
  const at = current(draft);
  const whole = textOf(ask, draft, at, agent);
  const isCut = whole.length > LONGEST.text;
  const text = isCut ? `${cutAt(whole, LONGEST.text - 1)}…` : whole;
  const where = allowed.page === undefined ? `In your inbox: parley show ${ask.id}` : allowed.page;
  const refusal = refusalFor(ask, allowed);
  if (refusal !== undefined) return { text: `${text}\n\n${where}`, buttons: [], hint: "" };
  const question = ask.questions[at];
  const buttons = question ? buttonsOf(question, at, draft) : [SEND, RESTART];
  return { text: isCut ? `${text}\n\n${where}` : text, buttons, hint: question ? hintOf(question) : "" };
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
      return ticks.length === 0 ? { refused: "Nothing is ticked yet" } : pick(input.question, ticks);
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
    for (const [at, { picks, text }] of answers.entries()) {
      const question = ask.questions[at];
      const place = answers.length > 1 ? `Question ${at + 1}: ` : "";
      const problem = problemWith(question, picks, picks.length > 1) ?? ownWordsProblem(question, picks, text);
      if (problem !== undefined) return { refused: `${place}${problem}` };
    }
    return { answers: [...answers] };
  }

  function typed(text: string): ChatStep {
    const at = current(draft);
    const question = ask.questions[at];
    if (text === "") return { refused: "There were no words in it" };
    if (NOTE.test(text)) {
      const note = text.replace(NOTE, "");
      return { draft: { ...draft, note }, words: "Noted: it goes along with what you choose" };
    }
    if (!question) return { refused: "All is answered: press Send, or Start over" };
    const numbers = /^\d{1,3}([\s,]+\d{1,3})*$/.test(text) ? text.split(/[\s,]+/).map((n) => Number(n) - 1) : [];
    const isList = numbers.length > 0 && numbers.every((n) => question.options[n] !== undefined);
    if (isList && (question.multiSelect || numbers.length === 1)) return pick(at, [...new Set(numbers)]);
    if (!takesOwnWords(question))
      return { refused: `Choose one of its buttons; "note: …" adds words to what you choose` };
    return answer(at, { picks: question.multiSelect ? (draft.ticks[at] ?? []) : [], text });
  }

  function pick(at: number, picks: readonly number[]): ChatStep {
    const problem = problemWith(ask.questions[at], picks, false);
    return problem === undefined ? answer(at, { picks: picks.toSorted((a, b) => a - b) }) : { refused: problem };
  }

  /** One question is answered with it; of several it is kept until all are, and sent by a press of its own. */
  function answer(at: number, given: Answer): ChatStep {
    const { note, ...rest } = draft;
    const whole = { ...given, ...(note !== undefined && { note }) };
    if (ask.questions.length === 1) return { answers: [whole] };
    return kept({ ...rest, answers: draft.answers.with(at, whole) });
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
const orNothing = (answer: Answer | null): Answer => answer ?? { picks: [] };

/** The first question without an answer; as many as there are: all have one. */
function current({ answers }: ChatDraft): number {
  const at = answers.indexOf(null);
  return at < 0 ? answers.length : at;
}

/** Nobody presses for something of which they have seen a part, and what may do more than answer is for the inbox. */
export function refusalFor(ask: Ask, { approvals, shown = false }: Allowed): string | undefined {
  const isAllowed = ask.kind === "question" || (approvals && (ask.kind === "approval" || ask.kind === "plan"));
  if (!isAllowed || ask.questions.length === 0 || ask.questions.some(({ field }) => field)) return NOT_HERE;
  return shown || shownOf(ask).every(fitsWhole) ? undefined : ONLY_A_PART;
}

/** An edit is shown as what it makes of the file that is there. */
export const shownOf = ({ questions, diff }: Pick<Ask, "questions" | "diff">): Question[] =>
  diff === undefined ? questions : questions.map((question, i) => (i === 0 ? { ...question, body: diff } : question));

function fitsWhole(question: Question): boolean {
  const fits = (text: string) => safeLine(text) === safeLine(text, { max: LONGEST.option });
  const { options } = question;
  if (options.length > MOST_BUTTONS || questionText(question).length > LONGEST.text - HEAD) return false;
  return options.every(({ label, description }) => fits(label) && fits(description));
}

function problemWith(question: Question | undefined, picks: readonly number[], ticking: boolean): string | undefined {
  if (!question || picks.some((pick) => question.options[pick] === undefined)) return "There is no such option";
  if (picks.some((pick) => !isPressable(question.options[pick])))
    return "That option does more than answer this: choose it in your inbox";
  return ticking && !question.multiSelect ? "Only one can be chosen" : undefined;
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

/** Where it comes from: a line, and one for the session's name where it has one. */
export function headLines({ kind, origin }: Ask, agent: string): string[] {
  const [session] = titleIn(origin.sessionTitle, LONGEST.label);
  const tag = kind === "question" ? "" : ` [${kind}]`;
  const from = [origin.project, agent]
    .filter((name) => name !== undefined && name !== "")
    .map((name) => safeLine(name ?? "", { max: 60 }));
  return [`${from.join(" · ")}${tag}`, ...(session === undefined ? [] : [session])];
}

function textOf(ask: Ask, draft: ChatDraft, at: number, agent: string): string {
  const head = headLines(ask, agent);
  const question = shownOf(ask)[at];
  const count = ask.questions.length > 1 && question ? [`(${at + 1} of ${ask.questions.length})`] : [];
  const answered = ask.questions.length > 1 ? answeredOf(ask, draft, question === undefined) : [];
  const note = draft.note === undefined ? [] : ["", `Note: ${safeLine(draft.note, { max: LONGEST.words })}`];
  return [...head, "", ...answered, ...count, ...(question ? [questionText(question)] : []), ...note].join("\n").trim();
}

/** At the end everything, before it nothing: each step shows one question. */
function answeredOf({ questions }: Ask, { answers }: ChatDraft, isEnd: boolean): string[] {
  if (!isEnd) return [];
  return questions.map((question, i) => {
    const said = describeAnswers([question], [orNothing(answers[i] ?? null)]);
    return `${askTitle({ kind: "question", questions: [question] }, { max: 120 })}\n→ ${safeLine(said, { max: LONGEST.words })}`;
  });
}

/** Its options as numbered lines. */
export function optionLines({ options, multiSelect }: Question): string[] {
  const lines = options.flatMap((option, i) => {
    if (!isPressable(option) && option.effect === "cancel") return [];
    const about = safeLine(option.description, { max: LONGEST.option });
    return [`${i + 1}. ${safeLine(option.label, { max: LONGEST.option })}${about === "" ? "" : ` – ${about}`}`];
  });
  return [...lines, ...(multiSelect ? ["(several may be chosen)"] : [])];
}

function questionText(question: Question): string {
  const { text, body } = question;
  const lines = optionLines(question);
  const about = body === undefined || body.trim() === "" ? [] : ["", safeText(body).trim()];
  return [safeText(text).trim(), ...about, ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
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

function hintOf(question: Question): string {
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
