import type { Question } from "../../core/ask/question.ts";
import type { ListLayout } from "../list-layout.ts";
import type { Screen } from "./screen.ts";

/** What one version of an agent draws on a terminal when it asks. The reader and the driver in `keys/` know no agent. */
export type Layout = DrawnLayout | ListLayout | ReadLayout;

type Common = {
  version: string;
  /** What the row for own words says while it is empty. */
  ownWords: readonly string[];
  /** Beginnings of a message that the input box takes for something else than words. */
  notWords: RegExp;
};

/**
 * Drawn in a way of its own, so that its folder reads it.
 * Contract: `read` is pure and never throws; what it does not know line by line is unknown, and then no key is sent.
 */
export type ReadLayout = Common & {
  /** `questions`: those that may stand there, where somebody knows them. */
  read(text: string, questions?: readonly Question[]): Screen;
  manner: Manner;
};

/** What its keys do. */
export type Manner = {
  /** Ticks the box that has the cursor. */
  tick: "Space" | "Enter";
  /** A question with several options is left by a row of its own; else by Enter, wherever the cursor is. */
  hasAdvance: boolean;
  /** Such a question has a row that ticks all of them, in front of own words. */
  hasAll: boolean;
  /** Own words show one line of themselves, so narrower than the terminal by this: what is longer cannot be looked at. */
  ownWordsRoom?: number;
  /** What a text loses when it is drawn: marks of Markdown. */
  lost?: RegExp;
  /** How the review page of a form names an answer, made of its elements. */
  reviewed(question: Question, elements: readonly string[]): string;
  /** The row of a dialog about a call, by what it does: the `target` of an option that allows, `deny`. */
  verdicts: Readonly<Record<string, RegExp>>;
};

/** Lines and marks as data. Contract: every pattern is anchored; a line it does not know makes the screen unknown. */
export type DrawnLayout = Common & {
  /** The line above a dialog, and between its rows and the chat. */
  rule: RegExp;
  /** First line of a form; group 1 holds its tabs. */
  form: RegExp;
  /** Each tab in group 1 of `form`: mark and header. */
  tab: RegExp;
  doneMark: string;
  /** First line of a question that stands alone: mark and header. */
  lone: RegExp;
  /** In front of each line of a question that is longer than one. */
  questionBar?: string | undefined;
  cursor: string;
  /** A row that can be picked: what stands in front of it, its number, its box, its label. */
  row: RegExp;
  checked: string;
  /** The row that leaves a question with several options: mark in group 1. */
  advance: RegExp;
  /** The row below the rule: mark and number. */
  chat: RegExp;
  /** Last paragraph of a dialog, its lines joined by a space. */
  hint: RegExp;
  preview: {
    hint: RegExp;
    corner: string;
    bottom: string;
    notes: RegExp;
    /** What stands behind `notes` while there are none: closed, and open for typing. */
    closed: string;
    open: string;
    key: string;
    /** Whether an option picked with a note still counts as picked. */
    keepsPick: boolean;
  };
  review: {
    title: string;
    bullet: string;
    arrow: string;
    ready: string;
    send: string;
    cancel: string;
  };
  /** What stands where a dialog was, once it is answered or declined. */
  settled: RegExp;
  /** The input box when no dialog is open: the line between two rules; group 1 holds what is typed. */
  prompt: RegExp;
};

/** Undefined: as a drawn layout has it. */
export const mannerOf = (layout: Layout): Manner | undefined => ("manner" in layout ? layout.manner : undefined);
