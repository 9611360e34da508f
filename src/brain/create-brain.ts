import { shellWord } from "../machine/shell-quote.ts";
import type { BrainConfig } from "../core/autopilot/brain-config.ts";
import { checkAnswers } from "../core/ask/check-answer.ts";
import type { Question } from "../core/ask/question.ts";
import { createAnthropicBrain } from "./anthropic.ts";
import { type Brain, BrainError, type BrainReply, type BrainRequest } from "./brain.ts";
import { createClaudeBrain } from "./claude.ts";
import { createCommandBrain } from "./command.ts";
import { messageFor, type Refused } from "./message.ts";
import { createOpenAiBrain } from "./openai.ts";
import { createOpenClawBrain } from "./openclaw.ts";
import { readReply } from "./read-reply.ts";
import type { BrainDeps, Think } from "./think.ts";

type Decide = (request: BrainRequest, signal: AbortSignal) => Promise<BrainReply>;

/** Contract: keeps its time limit, and whatever goes wrong is a BrainError with a message that begins with its name. */
export function createBrain(name: string, config: BrainConfig, deps: BrainDeps): Brain {
  const decide = config.type === "openclaw" ? byCommand(config, deps) : byReply(thinkOf(config, deps));
  return async (request, wanted) => {
    const limit = AbortSignal.timeout(config.timeout_seconds * 1000);
    try {
      return await decide(request, AbortSignal.any([wanted, limit]));
    } catch (error) {
      if (wanted.aborted) throw new BrainError("stopped", `${name}: its answer is no longer wanted`);
      if (limit.aborted) throw new BrainError("time", `${name}: no answer within ${config.timeout_seconds} s`);
      if (error instanceof BrainError) throw new BrainError(error.failure, `${name}: ${error.message}`, error.problems);
      throw error;
    }
  };
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
function byReply(think: Think): Decide {
  const attempt = async (request: BrainRequest, signal: AbortSignal, refused?: Refused) => {
    const text = await think(messageFor(request, { nonce: crypto.randomUUID(), refused }), request, signal);
    return { text, read: readReply(request.ask.questions, text) };
  };
  return async (asked, signal) => {
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
  };
}

/** What is wrong with an answer by command, the command itself says. */
function byCommand(config: Extract<BrainConfig, { type: "openclaw" }>, deps: BrainDeps): Decide {
  const send = createOpenClawBrain(config, deps);
  return async (request, signal) => {
    const command = `${shellWord(deps.parley)} answer ${request.ask.id}`;
    const {
      settlement,
      reason = "",
      confidence,
    } = await send(messageFor(request, { nonce: crypto.randomUUID(), command }), request, signal);
    if (settlement.action === "answer") refuseMisfit(request.ask.questions, settlement.answers);
    return { settlement, reason, ...(confidence !== undefined && { confidence }) };
  };
}

/** Whoever handed it in may not have looked. */
function refuseMisfit(questions: readonly Question[], answers: unknown): void {
  const checked = checkAnswers(questions, answers);
  if (!checked.ok) throw new BrainError("junk", "its answer does not answer the question", checked.problems);
}
