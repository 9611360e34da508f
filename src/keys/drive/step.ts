import type { Question } from "../../core/ask/question.ts";
import type { Layout } from "../../agents/capability/screen-layout.ts";
import type { Intent } from "./intent.ts";
import type { KeyName } from "../pane.ts";
import type { Screen } from "../screen.ts";

export type Job = { questions: readonly Question[]; intent: Intent; layout: Layout; width: number; height: number };

/** How far we are. `at`: the question that is answered, their number on the review page, `message` in the input box. */
export type Progress = {
  at: number | "message";
  /** Nothing was pressed on this page yet. */
  fresh: boolean;
  /** How many of the picked boxes of this question were ticked. */
  ticked: number;
  /** How many pieces of a text were typed. */
  typed: number;
};

/** Contract: a key is pressed only on the screen it was chosen for, and the next one only when `expect` says so. */
export type Press = {
  type: "press";
  key: { name: KeyName } | { text: string };
  /** For people: where we are and what the key is for. */
  place: string;
  expect(after: Screen): boolean;
  /** On the way to it, such as a part of what was typed. */
  nearly?(after: Screen): boolean;
  /** How far we are after it. */
  leads: Progress | "done";
};
export type Step = Press | { type: "stop"; place: string; why: string };

export const START: Progress = { at: 0, fresh: true, ticked: 0, typed: 0 };
