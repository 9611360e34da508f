import { z } from "zod";
import { readActions } from "../core/ask/answer/action.ts";
import { checkAnswers } from "../core/ask/answer/check-answer.ts";
import { ParleyError, type Problem } from "../core/error.ts";
import type { Question } from "../core/ask/question.ts";
import { kindOf } from "../core/record.ts";
import type { Settlement } from "../core/ask/settle.ts";
import { truncate } from "../core/text/text.ts";
import { readSources } from "../core/autopilot/verdict/verdict.ts";
import type { BrainAnswer } from "./brain.ts";

export type ReadReply = { ok: true; reply: BrainAnswer } | { ok: false; problems: readonly Problem[] };

const MOST_REASON = 1000;
/** As much as a person may say. */
const MOST_CHAT = 10_000;
const Reply = z.looseObject({
  actions: z.unknown(),
  decidedBy: z.unknown().optional(),
  reason: z.string().catch(""),
  confidence: z.number().min(0).max(1).optional().catch(undefined),
});

/** What a brain wrote, as an answer to these questions. Every problem is named, so that it can be sent back with them. */
export function readReply(questions: readonly Question[], text: string): ReadReply {
  const parsed = Reply.safeParse(jsonIn(text));
  if (!parsed.success) return { ok: false, problems: [NO_OBJECT] };
  const { actions, reason, confidence, decidedBy } = parsed.data;
  try {
    const settlement = readActions(questions, actions);
    const problems = problemsOf(questions, settlement);
    if (problems.length > 0) return { ok: false, problems };
    return {
      ok: true,
      reply: {
        settlement,
        reason: truncate(reason.trim(), MOST_REASON),
        sources: readSources(decidedBy, questions.length),
        ...(confidence !== undefined && { confidence }),
      },
    };
  } catch (error) {
    if (error instanceof ParleyError) return { ok: false, problems: error.problems };
    throw error;
  }
}

function problemsOf(questions: readonly Question[], { action, answers, message = "" }: Settlement): readonly Problem[] {
  if (action === "answer") {
    const checked = checkAnswers(questions, answers);
    return checked.ok ? [] : checked.problems;
  }
  if (message.length <= MOST_CHAT) return [];
  return [{ field: "actions", message: `Chat has at most ${MOST_CHAT} characters`, actual: `${message.length}` }];
}

const NO_OBJECT: Problem = {
  field: "reply",
  message: `There must be one JSON object with "actions" in it`,
  limit: `{"actions":[…],"reason":"…","confidence":0.8}`,
  actual: "none",
};

/** The object itself, or the one thing in braces between words or code marks. */
export function jsonIn(text: string): unknown {
  const inBraces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text.trim(), inBraces]) {
    const value = parsed(candidate);
    if (kindOf(value) === "object") return value;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
