import { askTitle } from "../../../core/ask/title.ts";
import { describeOutcome, sentence } from "../../../core/words/outcome/sentence.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { AskView } from "../../../protocol/view.ts";
import { counted } from "../../../core/words/number.ts";
import type { Model } from "../model.ts";

type Tone = "ok" | "error" | "text";

/** What happened to it, as every surface says it, as of now. */
export const sentenceNow = (ask: AskView, now: number): string => sentence(ask, ask.agentTitle, now);

/** The colour that goes with the mark at the beginning of a sentence. */
export function toneOf(words: string): Tone {
  if (words.startsWith("✓")) return "ok";
  return words.startsWith("✗") ? "error" : "text";
}

/** The line above the keys, as of now. */
export function saidNow({ said, asks, now }: Model): { words: string; tone: Tone } {
  if (!said) return { words: "", tone: "text" };
  if (said.type === "words") return { words: safeLine(said.words, { max: 500 }), tone: said.tone };
  if (said.type === "late") {
    const ask = asks.get(said.id);
    return { words: ask ? `${nameOf(ask)}: ${describeOutcome(ask, now())}` : "", tone: "text" };
  }
  const settled = said.ids.flatMap((id) => asks.get(id) ?? []);
  const [only, ...others] = settled;
  if (!only) return { words: "", tone: "text" };
  if (others.length > 0) return summary(settled);
  const words = [sentenceNow(only, now()), said.also].filter(Boolean).join("; ");
  return { words: safeLine(words, { max: 500 }), tone: toneOf(words) };
}

/** Which question a line is about, in a few words. */
export function nameOf(ask: AskView): string {
  return `${safeLine(ask.origin.project ?? ask.agentTitle, { max: 24 })} “${askTitle(ask, { max: 40 })}”`;
}

function summary(settled: readonly AskView[]): { words: string; tone: Tone } {
  const count = (...states: string[]) => settled.filter(({ state }) => states.includes(state)).length;
  const parts = [
    [count("verified"), "received"],
    [count("delivered"), "sent"],
    [count("settled"), "kept"],
    [count("mismatched", "closed"), "otherwise ended"],
    [count("open"), "still open"],
  ].flatMap(([n, word]) => (n === 0 ? [] : `${n} ${word}`));
  const isDone = count("verified") === settled.length;
  return {
    words: `${isDone ? "✓" : "…"} ${counted(settled.length, "answer")}: ${parts.join(", ")}`,
    tone: isDone ? "ok" : "text",
  };
}
