import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Question } from "../../core/ask/question.ts";
import { mannerOf } from "../../agents/capability/screen-layout.ts";
import { pieces } from "../read/columns.ts";
import { leaving } from "./leave.ts";
import { mismatch } from "../match.ts";
import { ordered, sameRow, toward } from "./move.ts";
import { cursorRow, type QuestionScreen, type Row, type Screen } from "../screen.ts";
import { squeeze } from "../read/squeeze.ts";
import type { Job, Press, Progress, Step } from "./step.ts";

/** Longer at once, an agent takes it for something pasted. */
export const PIECE = 60;

type Here = Progress & { at: number };
type Page = { screen: QuestionScreen; question: Question; here: Here; job: Job; place: string };

export function questionStep(screen: Screen, here: Here, job: Job, place: string): Step {
  const stop = (why: string): Step => ({ type: "stop", place, why });
  const question = job.questions[here.at];
  if (!question || screen.type !== "question") return stop("it is not on the screen");
  const other = mismatch(screen, question, { seen: !here.fresh, manner: mannerOf(job.layout) });
  if (other !== undefined) return stop(other);
  const answer: Answer = job.intent.type === "answers" ? (job.intent.answers[here.at] ?? { picks: [] }) : { picks: [] };
  const touched = foreign(screen, answer, here);
  if (touched !== undefined) return stop(touched);
  if (here.fresh && isTooLong(job)) return stop("the text is too long for this terminal");
  const cursor = cursorRow(screen.rows);
  if (!cursor) return stop("the cursor is not on the screen");
  const page: Page = { screen, question, here, job, place };
  if (job.intent.type === "chat") return at({ kind: "chat" }, page, (press) => leaving(press, page));
  return question.multiSelect ? several(answer, page) : one(answer, page);
}

/** Known before the first key: words of which the dialog would show only the end. */
function isTooLong({ intent, layout, width }: Job): boolean {
  const room = mannerOf(layout)?.ownWordsRoom;
  if (room === undefined || intent.type !== "answers") return false;
  return intent.answers.some(({ text = "" }) => Bun.stringWidth(text.trim()) > width - room);
}

/** What stands in the dialog must be ours, or nothing. */
function foreign(screen: QuestionScreen, { picks, text, note }: Answer, here: Here): string | undefined {
  if (here.fresh && screen.tabs.some(({ done }, i) => done !== i < here.at))
    return "somebody has begun to answer: the tabs are not as Parley left them";
  const ours = new Set(picks.toSorted((a, b) => a - b).slice(0, here.ticked));
  const own = typedSoFar(text ?? "", here);
  for (const { kind, number = 0, checked, text: shown, maybeHint } of screen.rows) {
    if (kind === "option" && checked !== undefined && checked !== ours.has(number - 1))
      return `somebody changed it: option ${number} is ${checked ? "" : "not "}ticked`;
    const isHint = maybeHint === true && own === "";
    if (kind === "own-words" && !isHint && squeeze(shown) !== own) return "somebody typed into it";
  }
  if (screen.notes && squeeze(screen.notes.text) !== typedSoFar(note ?? "", here)) return "somebody typed a note";
  return undefined;
}

const typedSoFar = (text: string, { typed }: Progress) => squeeze(pieces(text.trim(), PIECE).slice(0, typed).join(""));

function one({ picks: [pick], text, note }: Answer, page: Page): Step {
  const { here, screen } = page;
  if (pick === undefined)
    return at({ kind: "own-words" }, page, (press) => typed(text ?? "", page) ?? leaving(press, page));
  return at({ kind: "option", number: pick + 1 }, page, (press) => {
    if (note === undefined) return leaving(press, page);
    if (!screen.notes) return { type: "stop", place: page.place, why: "the dialog has no room for a note" };
    if (screen.notes.open) return typed(note, page) ?? leaving(press, page);
    return {
      ...press,
      key: { name: "n" },
      expect: (after) => same(after, page) && after.notes?.open === true,
      leads: { ...here, fresh: false },
    };
  });
}

function several({ picks, text }: Answer, page: Page): Step {
  const { here, screen } = page;
  const manner = mannerOf(page.job.layout);
  const pick = picks.toSorted((a, b) => a - b)[here.ticked];
  if (pick !== undefined)
    return at({ kind: "option", number: pick + 1 }, page, (press) => ({
      ...press,
      key: { name: manner?.tick ?? "Space" },
      expect: (after) => same(after, page) && cursorRow(after.rows)?.checked === true,
      leads: { ...here, fresh: false, ticked: here.ticked + 1 },
    }));
  if (text !== undefined && here.typed < pieces(text.trim(), PIECE).length)
    return at({ kind: "own-words" }, page, () => typed(text, page));
  // A list has no row that continues: Enter does, wherever the cursor is.
  if ("leave" in page.job.layout) return leaving({ type: "press", place: page.place }, page);
  const own = screen.rows.find(({ kind }) => kind === "own-words");
  if (own && own.checked !== (text !== undefined))
    return { type: "stop", place: page.place, why: "the own words are not ticked as they should be" };
  if (manner && !manner.hasAdvance) return leaving({ type: "press", place: page.place }, page);
  return at({ kind: "advance" }, page, (press) => leaving(press, page));
}

/** The next piece of a text; undefined when all of it stands there. */
function typed(text: string, page: Page): Step | undefined {
  const { screen, here, job, place } = page;
  const all = pieces(text.trim(), PIECE);
  const piece = all[here.typed];
  if (piece === undefined) return undefined;
  const rest: Progress = { ...here, fresh: false, typed: here.typed + 1 };
  const stop = (why: string): Step => ({ type: "stop", place, why });
  if (Bun.stringWidth(text) > (job.width - 12) * Math.max(1, job.height - 12))
    return stop("the text is too long for this terminal");
  const [before, wanted] = [typedSoFar(text, here), typedSoFar(text, rest)];
  const shown = (after: Screen) =>
    same(after, page) ? squeeze(ownText(after, screen.notes !== undefined)) : undefined;
  return {
    type: "press",
    place,
    key: { text: piece },
    expect: (after) => shown(after) === wanted && isTicked(after, job),
    nearly: (after) => {
      const now = shown(after);
      return now !== undefined && now.startsWith(before) && wanted.startsWith(now);
    },
    leads: rest,
  };
}

/** Where several can be picked, words tick their box a moment later. */
function isTicked(after: Screen, { layout }: Job): boolean {
  if (!mannerOf(layout) || after.type !== "question" || !after.multiSelect) return true;
  return after.rows.find(({ kind }) => kind === "own-words")?.checked === true;
}

function ownText({ rows, notes }: QuestionScreen, inNotes: boolean): string {
  return inNotes ? (notes?.text ?? "") : (rows.find(({ kind }) => kind === "own-words")?.text ?? "");
}

/** Acts on the row when the cursor is there, and goes one row nearer when it is not. */
function at(
  wanted: Pick<Row, "kind" | "number">,
  page: Page,
  act: (press: Omit<Press, "key" | "expect" | "leads">) => Step | undefined,
): Step {
  const { screen, here, place } = page;
  const cursor = cursorRow(screen.rows);
  if (cursor && sameRow(cursor, wanted))
    return act({ type: "press", place }) ?? { type: "stop", place, why: "there is nothing more to type" };
  const order = ordered(page.question, screen, mannerOf(page.job.layout));
  const move = cursor && toward(order, cursor, wanted);
  if (!move) return { type: "stop", place, why: "the dialog has no such row" };
  return {
    type: "press",
    place,
    key: { name: move.key },
    expect: (after) => {
      const now = same(after, page) ? cursorRow(after.rows) : undefined;
      return now !== undefined && sameRow(now, move.to);
    },
    leads: { ...here, fresh: false },
  };
}

function same(after: Screen, { question, job }: Page): after is QuestionScreen {
  return (
    after.type === "question" && mismatch(after, question, { seen: true, manner: mannerOf(job.layout) }) === undefined
  );
}
