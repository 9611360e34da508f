import { observed } from "../core/receipt/judge.ts";
import type { Outcome } from "../core/ask/outcome.ts";
import type { Question } from "../core/ask/question.ts";
import type { Received } from "../core/receipt/received.ts";
import type { LineFormat } from "./record.ts";

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
 * Where in these bytes the next of the needles stands, from a place on; -1: nowhere. There may be more of them with each call.
 * Contract: each is searched for once in all of the bytes.
 */
export function seekAny(bytes: Buffer, needles: () => readonly Buffer[]): (from: number) => number {
  const places = new Map<Buffer, number>();
  return (from) => {
    let first = -1;
    for (const needle of needles()) {
      const known = places.get(needle);
      const at = known === undefined || (known >= 0 && known < from) ? bytes.indexOf(needle, from) : known;
      if (at !== known) places.set(needle, at);
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
  };
}

/**
 * Finds the questions in an agent's own record, line by line, and how each was answered.
 * Contract: never throws; parses only lines that can matter; keeps only the questions still without an answer,
 * and the keys of the others.
 */
export function createScan({ marks, read }: LineFormat, found: (ask: ScannedAsk) => void) {
  const waiting = new Map<string, ScannedAsk & { bytes: Buffer }>();
  const questionMarks = marks.question.map((mark) => Buffer.from(mark));
  const known = new Set<string>();

  function matters(line: Buffer): boolean {
    if (questionMarks.some((mark) => line.includes(mark))) return true;
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
    /** A line that can matter holds one of these, or the key of a question that waits. */
    marks: questionMarks,
    keys: (): Buffer[] => [...waiting.values()].map(({ bytes }) => bytes),
    line(bytes: Buffer): void {
      if (!matters(bytes)) return;
      for (const item of read(bytes.toString("utf8"))) {
        if (item.type === "result") answered(item.key, item.questions, (questions) => item.read(questions));
        // A resumed session repeats its history.
        if (item.type !== "asked" || item.questions.length === 0 || known.has(item.key)) continue;
        const { key, questions, at } = item;
        waiting.set(key, { key, questions, bytes: Buffer.from(key), ...(at > 0 && { at }) });
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
