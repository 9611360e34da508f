import type { ListLayout } from "./list-layout.ts";

/** A new way to draw dialogs is a new one of these, with a reader in `keys/`. */
export type AnyLayout = Layout | ListLayout;

/**
 * What one version of an agent draws on a terminal when it asks, as data: the reader in `keys/` knows no agent.
 * Contract: every pattern is anchored; a line it does not know makes the screen unknown, and then no key is sent.
 */
export type Layout = {
  version: string;
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
  /** What the row for own words says while it is empty. */
  ownWords: readonly string[];
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
  /** Beginnings of a message that the input box takes for something else than words. */
  notWords: RegExp;
};
