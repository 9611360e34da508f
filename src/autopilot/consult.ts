import type { Brain, BrainReply } from "../brain/brain.ts";
import { createBrain } from "../brain/create-brain.ts";
import type { BrainDeps } from "../brain/think.ts";
import type { Ask } from "../core/ask.ts";
import type { Subject } from "../core/autopilot/subject.ts";
import type { BrainConfig } from "../core/autopilot/brain-config.ts";
import type { Document } from "../brain/brain.ts";
import { withoutCancel } from "../core/task-cancel.ts";
import type { Store } from "../store/store.ts";
import { correctionsFor } from "./correction.ts";

export type Question = { ask: Ask; subject: Subject; documents: readonly Document[] };
export type Consult = ReturnType<typeof createConsult>;

/** Asks brains, and knows which Asks they think about now. */
export function createConsult({ store, brains }: { store: Store; brains: BrainDeps }) {
  const made = new WeakMap<BrainConfig, Brain>();
  const thinking = new Map<string, AbortController>();

  function brainOf(name: string, config: BrainConfig): Brain {
    const known = made.get(config) ?? createBrain(name, config, brains);
    made.set(config, known);
    return known;
  }

  return {
    isThinkingAbout: (ask: string): boolean => thinking.has(ask),
    /** Nobody wants the answer any more. */
    stop(ask: string): void {
      thinking.get(ask)?.abort();
      thinking.delete(ask);
    },
    stopAll(): void {
      for (const controller of thinking.values()) controller.abort();
      thinking.clear();
    },
    /** Contract: undefined when it was stopped; otherwise what the brain says, or why it says nothing. */
    async ask(name: string, config: BrainConfig, { ask, subject, documents }: Question): Promise<Consulted> {
      const controller = new AbortController();
      thinking.get(ask.id)?.abort();
      thinking.set(ask.id, controller);
      try {
        const request = {
          ask: withoutCancel(ask),
          categories: subject.questions.map(({ category }) => category),
          phase: subject.phase,
          documents,
          said: ask.origin.lastText,
          corrections: await correctionsFor(ask, store),
        };
        return { reply: await brainOf(name, config)(request, controller.signal) };
      } catch (error) {
        return controller.signal.aborted ? undefined : { failure: error instanceof Error ? error.message : "failed" };
      } finally {
        if (thinking.get(ask.id) === controller) thinking.delete(ask.id);
      }
    },
  };
}

type Consulted = { reply: BrainReply } | { failure: string } | undefined;
