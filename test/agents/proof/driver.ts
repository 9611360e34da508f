import type { Say, ScriptedModel } from "../../../src/lab/model.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import type { Agent } from "../../../scripts/proof.ts";
import type { Program } from "../../e2e/program.ts";

export type Asked = { text: string; header: string; labels: readonly string[]; multi?: boolean };

/** What one agent supplies: how its model asks, and how it is driven. The cases are written once. */
export type Driver = {
  agent: Agent;
  version: string;
  program: string;
  /** How its model asks; the call is named `id`. */
  asks(id: string, questions: readonly Asked[]): Say;
  /** A command that needs leave, and makes this file in the project. */
  calls(id: string, file: string): Say;
  /** Of the options that allow for longer, the one to try. */
  always?: RegExp;
  /** Its dialog picks one option alone. */
  picksOne?: boolean;
  /** It asks no questions, only for leave. */
  onlyLeave?: boolean;
  /** Own words are for questions without options. */
  wordsApart?: boolean;
  /** Answered by keys: what does not fit its screen, or cannot be typed, is refused with a reason. */
  byKeys?: boolean;
  /** Its refusal carries no words: they stay with Parley. */
  wordsKept?: boolean;
  /** It does not say afterwards what it was answered: then the answer stays delivered. */
  untold?: boolean;
  open(script: Record<string, Say[]>): Promise<Driven>;
};

/** The agent at work. */
export type Driven = {
  model: ScriptedModel;
  program: Program;
  project: string;
  find(match: (ask: AskView) => boolean): Promise<AskView>;
  prompt(text: string): Promise<void>;
  /** Its own dialog is open and takes keys. */
  shown(what: Asked | "call"): Promise<unknown>;
  /** At its own keyboard: points at that option. What it returns sends it, with one key. */
  pointsAt(pick: number, asked: Asked): Promise<() => Promise<unknown>>;
  escape(): Promise<unknown>;
  /** No dialog is open, no turn runs. */
  idle(): Promise<unknown>;
  kill(): Promise<void>;
  screen(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
};
