import { observed } from "../core/receipt/judge.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Question } from "../core/ask/question.ts";
import type { Received } from "../core/receipt/received.ts";
import { inLetters, needleOf } from "./needles.ts";
import type { LineFormat } from "./capability/record.ts";

/** One question call in an agent's record. Without `outcome` the record ends before an answer. */
export type ScannedAsk = {
  key: string;
  questions: Question[];
  at?: number;
  outcome?: Outcome;
  /** What the model read. */
  text?: string;
};

/**
 * Finds the questions in an agent's own record, line by line, and how each was answered.
 * Contract: never throws; parses only lines that can matter; keeps only the questions still without an answer,
 * and the keys of the others.
 */
export function createScan({ marks, read }: LineFormat, found: (ask: ScannedAsk) => void) {
  const waiting = new Map<string, ScannedAsk & { bytes: Buffer }>();
  const isMarked = markTest(marks.question);
  const known = new Set<string>();

  function matters(line: Buffer): boolean {
    if (isMarked(line)) return true;
    for (const { bytes } of waiting.values()) if (line.includes(bytes)) return true;
    return false;
  }

  function answered(key: string, own: readonly Question[] | undefined, read: (q: readonly Question[]) => Received) {
    const asked = waiting.get(key);
    const questions = asked?.questions ?? own;
    if (!questions || questions.length === 0 || (!asked && known.has(key))) return;
    known.add(key);
    waiting.delete(key);
    const received = read(questions);
    const at = asked?.at;
    const outcome = observed(questions, received, at ?? 0);
    found({ key, questions: [...questions], ...(at !== undefined && { at }), outcome, text: received.text });
  }

  return {
    /** Of the questions that wait: a line about one of them holds its own. */
    keys: (): Buffer[] => [...waiting.values()].map(({ bytes }) => bytes),
    /** `letters`: the same line, to search in. */
    line(bytes: Buffer, letters = inLetters(bytes)): void {
      if (!matters(letters)) return;
      for (const item of read(bytes.toString("utf8"))) {
        if (item.type === "result") answered(item.key, item.questions, (questions) => item.read(questions));
        // A resumed session repeats its history.
        if (item.type !== "asked" || item.questions.length === 0 || known.has(item.key)) continue;
        const { key, questions, at } = item;
        waiting.set(key, { key, questions, bytes: needleOf(key), ...(at > 0 && { at }) });
        known.add(key);
      }
    },
    /** Hands over what nobody has answered in this record, in the order it was asked. */
    end(): void {
      for (const { bytes: _bytes, ...ask } of waiting.values()) found(ask);
      waiting.clear();
    },
  };
}

/** Whether a line, in plain letters, holds one of an agent's marks. */
export function markTest(marks: readonly string[]): (letters: Buffer) => boolean {
  const all = marks.map((mark) => Buffer.from(mark));
  return (letters) => all.some((mark) => letters.includes(mark));
}
