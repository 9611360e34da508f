import { shellWord } from "../machine/shell-quote.ts";
import type { BrainConfig } from "../core/autopilot/brain-config.ts";
import { readScreening, readSources, type Screening } from "../core/autopilot/verdict/verdict.ts";
import { asRecord } from "../core/record.ts";
import { checkAnswers } from "../core/ask/answer/check-answer.ts";
import type { Question } from "../core/ask/question.ts";
import { createAnthropicBrain } from "./anthropic.ts";
import { type Brain, type BrainAnswer, BrainError, type BrainRequest } from "./brain.ts";
import { createClaudeBrain } from "./claude.ts";
import { createCommandBrain } from "./command.ts";
import { messageFor, type Refused } from "./message.ts";
import { createOpenAiBrain } from "./openai.ts";
import { createOpenClawBrain } from "./openclaw.ts";
import { jsonIn, readReply } from "./read-reply.ts";
import { screenMessage } from "./screen-message.ts";
import type { BrainDeps, Think } from "./think.ts";

type Steps = {
  screen(request: BrainRequest, signal: AbortSignal): Promise<Screening>;
  answer(request: BrainRequest, signal: AbortSignal): Promise<BrainAnswer>;
};

/**
 * Asked twice: whether it needs a person, then for the answer.
 * Contract: keeps its time limit each time, and whatever goes wrong is a BrainError with a message that begins with its name.
 */
export function createBrain(name: string, config: BrainConfig, deps: BrainDeps): Brain {
  const steps = config.type === "openclaw" ? byCommand(name, config, deps) : byReply(thinkOf(config, deps));
  async function inTime<Said>(step: (signal: AbortSignal) => Promise<Said>, wanted: AbortSignal): Promise<Said> {
    const limit = AbortSignal.timeout(config.timeout_seconds * 1000);
    try {
      return await step(AbortSignal.any([wanted, limit]));
    } catch (error) {
      if (wanted.aborted) throw new BrainError("stopped", `${name}: its answer is no longer wanted`);
      if (limit.aborted) throw new BrainError("time", `${name}: no answer within ${config.timeout_seconds} s`);
      if (error instanceof BrainError) throw new BrainError(error.failure, `${name}: ${error.message}`, error.problems);
      throw error;
    }
  }
  return async (request, wanted) => {
    const screening = await inTime((signal) => steps.screen(bareOf(request), signal), wanted);
    if (screening.needsPerson === true) return { needsPerson: screening.reason };
    return { ...(await inTime((signal) => steps.answer(request, signal), wanted)), screening };
  };
}

/** The question and nothing that could argue for it, in no conversation that knows of such things. */
function bareOf({ ask, phase }: BrainRequest): BrainRequest {
  const { lastText: _said, ...origin } = ask.origin;
  return { ask: { ...ask, origin }, phase, documents: [], isScreening: true };
}

export function thinkOf(config: Exclude<BrainConfig, { type: "openclaw" }>, deps: BrainDeps): Think {
  switch (config.type) {
    case "command":
      return createCommandBrain(config, deps);
    case "claude":
      return createClaudeBrain(config, deps);
    case "anthropic":
      return createAnthropicBrain(config, deps);
    case "openai":
      return createOpenAiBrain(config, deps);
  }
}

/** A reply that does not fit goes back once with what is wrong with it. */
function byReply(think: Think): Steps {
  const attempt = async (request: BrainRequest, signal: AbortSignal, refused?: Refused) => {
    const text = await think(messageFor(request, { nonce: crypto.randomUUID(), refused }), request, signal);
    return { text, read: readReply(request.ask.questions, text) };
  };
  return {
    async screen(request, signal) {
      const text = await think(screenMessage(request, { nonce: crypto.randomUUID() }), request, signal);
      return readScreening(jsonIn(text), request.ask.questions.length);
    },
    async answer(asked, signal) {
      const { conversation = { id: crypto.randomUUID(), continues: false } } = asked;
      const request = { ...asked, conversation };
      const first = await attempt(request, signal);
      if (first.read.ok) return first.read.reply;
      const { problems } = first.read;
      const again = { ...request, conversation: { ...conversation, continues: true } };
      const second = await attempt(again, signal, { reply: first.text, problems });
      if (second.read.ok) return { ...second.read.reply, sentBack: problems };
      const told = second.read.problems.map(({ message }) => message).join("; ");
      throw new BrainError("junk", `its reply does not answer the question, twice: ${told}`, second.read.problems);
    },
  };
}

/** What is wrong with an answer by command, the command itself says. */
function byCommand(name: string, config: Extract<BrainConfig, { type: "openclaw" }>, deps: BrainDeps): Steps {
  const send = createOpenClawBrain(config, deps);
  const commandOf = ({ ask }: BrainRequest) => `${shellWord(deps.parley)} answer ${ask.id} --as ${shellWord(name)}`;
  return {
    async screen(request, signal) {
      const { id, questions } = request.ask;
      const message = screenMessage(request, { nonce: crypto.randomUUID(), command: commandOf(request) });
      const { said } = await send(message, request, (until) => deps.replies.screening(id, name, until), signal);
      return readScreening(said, questions.length);
    },
    async answer(request, signal) {
      const { id, questions } = request.ask;
      const message = messageFor(request, { nonce: crypto.randomUUID(), command: commandOf(request) });
      const came = await send(message, request, (until) => deps.replies.answer(id, name, until), signal);
      const { settlement, reason = "", confidence, verdict } = came;
      if (settlement.action === "answer") refuseMisfit(questions, settlement.answers);
      const sources = readSources(asRecord(verdict)?.["decidedBy"], questions.length);
      return { settlement, reason, sources, ...(confidence !== undefined && { confidence }) };
    },
  };
}

/** Whoever handed it in may not have looked. */
function refuseMisfit(questions: readonly Question[], answers: unknown): void {
  const checked = checkAnswers(questions, answers);
  if (!checked.ok) throw new BrainError("junk", "its answer does not answer the question", checked.problems);
}
