import { aboutOption } from "../core/words/option-about.ts";
import type { Ask } from "../core/ask/ask.ts";
import { isForTerminal } from "../core/ask/channel.ts";
import { askTitle } from "../core/ask/title.ts";
import { headerOf } from "../core/ask/header.ts";
import { titleIn } from "../core/words/session-words.ts";
import type { Option } from "../core/ask/question.ts";
import { stakesOf } from "../core/autopilot/stake/stakes.ts";
import { isCancel } from "../core/form/rows.ts";
import { capitalised, safeLine, safeText, truncate } from "../core/text/text.ts";
import type { DigestCounts } from "../core/words/digest-words.ts";
import { moreWords } from "../core/words/messaged-words.ts";
import type { ChatView } from "./chat/chat-form.ts";
import type { Sheet } from "./chat/chat-sheet.ts";
import { isGraver, isPressable } from "./chat/pressable.ts";

export type NoteOption = { label: string; description: string };
export type NoteQuestion = {
  header: string;
  text: string;
  /** What it is about: a command, a diff, a plan. */
  body?: string;
  multiSelect: boolean;
  options: NoteOption[];
};
/** What a notification says. Contract: all of it is safe to show and bounded, whatever the model wrote. */
export type Note = {
  ask: string;
  kind: string;
  agent: string;
  project: string;
  /** What the session that asks is called. */
  session?: string;
  title: string;
  /** The whole question with its options, as plain text. */
  body: string;
  questions: NoteQuestion[];
  /** The options that may be answered with one press; empty where that would not be a whole and harmless answer. */
  buttons: { option: number; label: string }[];
  /** Nothing is at stake in it, as far as its words say. Known only where there are buttons. */
  plain?: boolean;
  /** No single press answers it: it takes a second step. */
  grave?: true;
  /** Nobody but the agent's own terminal can answer it. */
  terminal?: true;
  pane?: { server: string; id: string };
  /** As a chat shows it, where it can be answered step by step; of which version of the Ask. */
  chat?: ChatView & { version: number };
  /** The same where all of it is shown at once, with a form. */
  sheet?: Sheet;
  /** The session, or task, that asks: what belongs together. */
  thread?: string;
  /** Where the question is in the page, as the person reaches it. */
  page?: string;
  /** It is about an answer that the agent received otherwise; `body` says so. */
  mismatch?: true;
  /** It is about no question, but about a day of them; `body` says so. */
  digest?: { words: string; since: number; waiting: number; projects: DigestCounts[] };
  /** It was snoozed until then, and told about before. */
  again?: number;
  at: number;
};

const LONGEST = { name: 60, title: 120, header: 60, text: 2000, about: 1500, label: 120, description: 300, body: 3000 };

export function noteOf(ask: Ask, agentTitle: string, { buttonsForApprovals }: { buttonsForApprovals: boolean }): Note {
  const questions = ask.questions.map((question) => ({
    header: safeLine(headerOf(question), { max: LONGEST.header }),
    text: safeText(question.text, { max: LONGEST.text }).trim(),
    ...(question.body !== undefined && { body: safeText(question.body, { max: LONGEST.about }).trim() }),
    multiSelect: question.multiSelect,
    // To end a task takes a second step, which there is none of here.
    options: withoutEnd(question.options).map(({ label, description }) => ({
      label: safeLine(label, { max: LONGEST.label }),
      description: safeLine(description, { max: LONGEST.description }),
    })),
  }));
  const agent = safeLine(agentTitle, { max: LONGEST.name });
  const project = safeLine(ask.origin.project ?? "", { max: LONGEST.name }) || agent;
  const [session] = titleIn(ask.origin.sessionTitle, LONGEST.name);
  const asked = questions.map((question) => inWords(question, questions.length > 1)).join("\n\n");
  const words = session === undefined ? asked : `${session}\n${asked}`;
  const body = truncate(words, LONGEST.body);
  const tag = ask.kind === "question" ? "" : ` [${ask.kind}]`;
  const buttons = mayPress(ask, buttonsForApprovals) && body === words && isWhole(ask) ? buttonsOf(ask) : [];
  return {
    ask: ask.id,
    kind: ask.kind,
    agent,
    project,
    ...(session !== undefined && { session }),
    title: `${project}${tag}: ${askTitle(ask, { max: LONGEST.title })}`,
    body,
    questions,
    buttons,
    ...(buttons.length > 0 && { plain: stakesOf(ask).length === 0 }),
    ...(buttons.length > 0 && isGraver(ask) && { grave: true }),
    ...(isForTerminal(ask) && { terminal: true }),
    ...(ask.origin.pane && { pane: ask.origin.pane }),
    ...(ask.snoozedUntil !== undefined && { again: ask.snoozedUntil }),
    at: ask.createdAt,
  };
}

/** The same, and that it stands for others too. */
export function withCount(note: Note, more: number): Note {
  if (more === 0) return note;
  const words = moreWords(more);
  const hint = [note.chat?.hint, capitalised(words)].filter(Boolean).join("\n\n");
  return {
    ...note,
    title: `${note.title} (${words})`,
    body: `${note.body}\n\n${capitalised(words)}`,
    ...(note.chat && { chat: { ...note.chat, hint } }),
    ...(note.sheet && { sheet: { ...note.sheet, more: capitalised(words) } }),
  };
}

/** What `parley notify test` sends. */
export function testNote(at: number): Note {
  const text = "This is a test. Questions from your agents will look like this.";
  const question = { header: "Test", text, multiSelect: false, options: [] };
  const names = { ask: "test", kind: "test", agent: "Parley", project: "parley", title: "parley: Test" };
  return { ...names, body: text, questions: [question], buttons: [], at };
}

/** Contract: the places of the others stay, which links name. */
const withoutEnd = (options: readonly Option[]) =>
  options.slice(0, options.findLastIndex((each) => !isCancel(each)) + 1);

function inWords({ header, text, body, options, multiSelect }: NoteQuestion, several: boolean): string {
  const lines = options.map((option, i) => {
    const about = aboutOption(option);
    return `${i + 1}. ${option.label}${about && ` – ${about}`}`;
  });
  const hint = multiSelect ? ["(several may be chosen)"] : [];
  const about = body ? [body] : [];
  return [several ? `${header}: ${text}` : text, ...about, ...lines, ...hint].join("\n");
}

/** One press answers one question with one option; anything else needs a form. */
export function mayPress(ask: Ask, buttonsForApprovals: boolean): boolean {
  const { kind, questions } = ask;
  const [first, ...others] = questions;
  if (isForTerminal(ask) || !first || others.length > 0 || first.multiSelect) return false;
  return kind === "question" || (buttonsForApprovals && (kind === "approval" || kind === "plan"));
}

/** Nobody presses for something of which they have seen a part. */
function isWhole({ questions: [first] }: Ask): boolean {
  const fits = (text: string, max: number) => safeText(text) === safeText(text, { max });
  return first !== undefined && fits(first.text, LONGEST.text) && fits(first.body ?? "", LONGEST.about);
}

/** Twins cannot be told apart on one. */
function buttonsOf({ questions: [first] }: Ask): Note["buttons"] {
  const buttons = (first?.options ?? []).flatMap((option, i) =>
    isPressable(option) ? [{ option: i, label: safeLine(option.label, { max: LONGEST.label }) }] : [],
  );
  return new Set(buttons.map(({ label }) => label)).size === buttons.length ? buttons : [];
}
