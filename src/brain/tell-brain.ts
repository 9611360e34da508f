import type { Ask } from "../core/ask/ask.ts";
import type { BrainConfig } from "../core/autopilot/brain-config.ts";
import { thinkOf } from "./create-brain.ts";
import { toldMessage } from "./message.ts";
import { sessionKeyOf, tellOpenClaw } from "./openclaw.ts";
import type { BrainDeps } from "./think.ts";

const NOTHING_TO_ANSWER = "There is nothing to answer now. Reply with OK.";

/**
 * Tells a brain what became of its decision, in the conversation in which it decided. What it says to that is nobody's.
 * Contract: throws a BrainError when it was not told.
 */
export async function tellBrain(
  config: BrainConfig,
  deps: BrainDeps,
  { ask, text }: { ask: Ask; text: string },
  signal: AbortSignal,
): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(config.timeout_seconds * 1000)]);
  const told = toldMessage(text, crypto.randomUUID());
  if (config.type === "openclaw") {
    const { conversation = sessionKeyOf(ask) } = ask.outcome?.actor ?? {};
    return tellOpenClaw(config, deps, { id: `parley-mismatch-${ask.id}`, message: told.text, conversation }, until);
  }
  const { conversation: id } = ask.outcome?.actor ?? {};
  const conversation = { id: id ?? crypto.randomUUID(), continues: id !== undefined };
  const message = { ...told, text: `${told.text}\n\n${NOTHING_TO_ANSWER}` };
  await thinkOf(config, deps)(message, { ask, documents: [], conversation, mismatch: text }, until);
}
