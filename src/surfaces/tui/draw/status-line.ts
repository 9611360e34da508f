import { askTitle } from "../../../core/ask/title.ts";
import { sentence } from "../../../core/words/outcome/sentence.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { AskView } from "../../../protocol/view.ts";
import { answeredWords } from "../../../core/words/hub-words.ts";
import { counted } from "../../../core/words/number.ts";
import { asHub, placeOf, whoWasFirst } from "../hub/hub-ask.ts";
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
    return { words: ask ? `${nameOf(ask)}: ${whoWasFirst(ask, now())}` : "", tone: "text" };
  }
  const settled = said.ids.flatMap((id) => asks.get(id) ?? []);
  const [only, ...others] = settled;
  if (!only) return { words: "", tone: "text" };
  if (others.length > 0) return summary(settled);
  const hub = asHub(only);
  const isSent = hub && (hub.intent ?? hub.halves);
  const nothing = hub && !only.outcome ? "nothing of it is on its way" : sentenceNow(only, now());
  const became = isSent ? answeredWords(hub, now()) : nothing;
  const words = [became, said.also].filter(Boolean).join("; ");
  return { words: safeLine(words, { max: 500 }), tone: toneOf(words) };
}

/** Which question a line is about, in a few words. */
export function nameOf(ask: AskView): string {
  return `${placeOf(ask)} “${askTitle(ask, { max: 40 })}”`;
}

function summary(settled: readonly AskView[]): { words: string; tone: Tone } {
  const count = (...states: string[]) => settled.filter((ask) => states.includes(stateOf(ask))).length;
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

/** Through a hub: what its machine said of the answer. */
function stateOf(ask: AskView): string {
  const intent = asHub(ask)?.intent;
  return intent
    ? { received: "verified", sent: "delivered", overtaken: "closed", withdrawn: "closed" }[intent.state]
    : ask.state;
}
