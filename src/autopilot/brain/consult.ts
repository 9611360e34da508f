import type { Brain, BrainAnswer, BrainRequest, Conversation, Document } from "../../brain/brain.ts";
import type { BrainDeps } from "../../brain/think.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { checkAnswers } from "../../core/ask/answer/check-answer.ts";
import type { Proposal } from "../../core/ask/proposal.ts";
import type { BrainConfig } from "../../core/autopilot/brain-config.ts";
import type { Subject } from "../../core/autopilot/category/subject.ts";
import { onlySuggested, sourceWords } from "../../core/autopilot/verdict/check-verdict.ts";
import { reversedAsk, turnedBack } from "../../core/autopilot/verdict/reversed.ts";
import { withoutCancel } from "../../core/task/task-cancel.ts";
import type { Store } from "../../store/store.ts";
import { correctionsFor } from "../correction.ts";
import { createPlaces } from "../places.ts";
import { precedentsFor } from "../precedents-for.ts";
import { isSameProposal } from "../proposal.ts";

export type Question = { ask: Ask; subject: Subject; documents: readonly Document[]; threshold: number };
export type Consult = ReturnType<typeof createConsult>;
export type Checked = NonNullable<Proposal["verdict"]>;
/** What the second brain says to what the first one would answer. */
export type Second = { agrees: boolean; why: string };
type Consulted =
  | { reply: Omit<BrainAnswer, "sources"> & { checked: Checked } }
  | { needsPerson: string }
  | { failure: string }
  | undefined;

/** So many think at once; the others wait until it is their turn. */
const MOST_AT_ONCE = 4;

/** Asks brains, checks what they say, and knows which Asks they think about now. */
export function createConsult({ store, brains }: { store: Store; brains: BrainDeps }) {
  const made = new WeakMap<BrainConfig, Brain>();
  const thinking = new Map<string, AbortController>();
  const places = createPlaces(MOST_AT_ONCE);

  async function brainOf(name: string, config: BrainConfig): Promise<Brain> {
    const { createBrain } = await import("../../brain/create-brain.ts");
    const known = made.get(config) ?? createBrain(name, config, brains);
    made.set(config, known);
    return known;
  }

  /** Contract: undefined when it was stopped, or another one is asked about the same. */
  async function think(name: string, config: BrainConfig, id: string, make: () => Promise<BrainRequest>) {
    const controller = new AbortController();
    thinking.get(id)?.abort();
    thinking.set(id, controller);
    const { signal } = controller;
    try {
      return await places.within(signal, async () => {
        const request = await make();
        const reply = await (await brainOf(name, config))(request, signal);
        return signal.aborted ? undefined : { request, reply };
      });
    } catch (error) {
      return signal.aborted ? undefined : { failure: error instanceof Error ? error.message : "failed" };
    } finally {
      if (thinking.get(id) === controller) thinking.delete(id);
    }
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
    async ask(name: string, config: BrainConfig, question: Question): Promise<Consulted> {
      const { ask } = question;
      const said = await think(name, config, ask.id, async () => {
        const { corrections, conversation } = await correctionsFor(ask, name, store);
        return { ...requestFor(question), corrections, conversation: await conversationFor(config, ask, conversation) };
      });
      if (!said || "failure" in said) return said;
      const { request, reply } = said;
      if ("needsPerson" in reply) return reply;
      const { screening: _screening, sources, ...answered } = reply;
      const only = onlySuggested(request.ask.questions, reply, evidenceIn(request), question.threshold);
      const checked = { ...(only !== undefined && { only }), rests: sourceWords(sources) };
      const { id = "" } = request.conversation ?? {};
      return { reply: { ...answered, conversation: id, checked } };
    },
    /** The same question with its options the other way round, to a second brain that knows nothing of the first. */
    async askAgain(
      name: string,
      config: BrainConfig,
      question: Question,
      first: Proposal,
    ): Promise<Second | undefined> {
      const { ask } = question;
      const own = withoutCancel(ask);
      const said = await think(name, config, ask.id, async () => {
        const request = requestFor(question);
        return {
          ...request,
          ask: reversedAsk(request.ask),
          conversation: await conversationFor(config, ask, undefined),
        };
      });
      if (!said) return undefined;
      if ("failure" in said) return { agrees: false, why: said.failure };
      const { request, reply } = said;
      if ("needsPerson" in reply) return { agrees: false, why: `${name} says that it needs a person` };
      const only = onlySuggested(request.ask.questions, reply, evidenceIn(request), question.threshold);
      if (only !== undefined) return { agrees: false, why: `${name} has to agree, but ${only}` };
      const checked = checkAnswers(request.ask.questions, reply.settlement.answers);
      const answers = checked.ok ? turnedBack(own, checked.answers) : [];
      const agrees = isSameProposal({ ...first, action: reply.settlement.action, answers }, first);
      return { agrees, why: agrees ? `${name} agrees` : `${name} would answer otherwise` };
    },
  };
}

function requestFor({ ask, subject, documents }: Question): BrainRequest {
  return {
    ask: withoutCancel(ask),
    categories: subject.questions.map(({ category }) => category),
    phase: subject.phase,
    documents,
    precedents: precedentsFor(subject),
    said: ask.origin.lastText,
  };
}

const evidenceIn = ({ documents, precedents = [] }: BrainRequest) => ({ documents, precedents });

/** Where it can put something right, it knows what went wrong; otherwise it judges without what it said before. */
async function conversationFor(config: BrainConfig, ask: Ask, before: string | undefined): Promise<Conversation> {
  if (config.type === "openclaw") {
    const { sessionKeyOf } = await import("../../brain/openclaw.ts");
    return { id: sessionKeyOf(ask), continues: true };
  }
  return before === undefined ? { id: crypto.randomUUID(), continues: false } : { id: before, continues: true };
}
