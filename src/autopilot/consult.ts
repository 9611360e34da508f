import type { Brain, BrainReply, Conversation } from "../brain/brain.ts";
import { createBrain } from "../brain/create-brain.ts";
import { sessionKeyOf } from "../brain/openclaw.ts";
import type { BrainDeps } from "../brain/think.ts";
import type { Ask } from "../core/ask/ask.ts";
import type { Subject } from "../core/autopilot/category/subject.ts";
import type { BrainConfig } from "../core/autopilot/brain-config.ts";
import type { Document } from "../brain/brain.ts";
import { withoutCancel } from "../core/task/task-cancel.ts";
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
        const { corrections, conversation } = await correctionsFor(ask, name, store);
        const here = conversationFor(config, ask, conversation);
        const request = {
          ask: withoutCancel(ask),
          categories: subject.questions.map(({ category }) => category),
          phase: subject.phase,
          documents,
          said: ask.origin.lastText,
          corrections,
          conversation: here,
        };
        return { reply: { ...(await brainOf(name, config)(request, controller.signal)), conversation: here.id } };
      } catch (error) {
        return controller.signal.aborted ? undefined : { failure: error instanceof Error ? error.message : "failed" };
      } finally {
        if (thinking.get(ask.id) === controller) thinking.delete(ask.id);
      }
    },
  };
}

/** Where it can put something right, it knows what went wrong; otherwise it judges without what it said before. */
function conversationFor(config: BrainConfig, ask: Ask, before: string | undefined): Conversation {
  if (config.type === "openclaw") return { id: sessionKeyOf(ask), continues: true };
  return before === undefined ? { id: crypto.randomUUID(), continues: false } : { id: before, continues: true };
}

type Consulted = { reply: BrainReply } | { failure: string } | undefined;
