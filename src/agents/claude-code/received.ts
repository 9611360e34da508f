import { z } from "zod";
import { decodeChoice } from "../../core/compare.ts";
import type { Question } from "../../core/question.ts";
import type { Received, ReceivedChoice } from "../../core/received.ts";

/** The tool's structured result, in PostToolUse (`tool_response`) and in the transcript (`toolUseResult`). */
const ToolResult = z.looseObject({
  answers: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.looseObject({ notes: z.string().optional() })).optional(),
  afkTimeoutMs: z.number().optional(),
});

/** `text` is what the model read, where known. */
export function readResult(result: unknown, questions: readonly Question[], text: string): Received {
  const parsed = ToolResult.safeParse(result);
  if (!parsed.success) return readRefusal(text);
  const { answers, annotations, afkTimeoutMs } = parsed.data;
  if (afkTimeoutMs !== undefined && Object.keys(answers).length === 0)
    return { type: "timed-out", text: text || `No response after ${afkTimeoutMs / 1000}s` };
  const choices = questions.map((question): ReceivedChoice | undefined => {
    const raw = answers[question.text];
    const note = annotations?.[question.text]?.notes;
    // The structured result alone is not proof: the model reads the text.
    if (typeof raw !== "string" || (text !== "" && !text.includes(raw))) return undefined;
    return { ...decodeChoice(question, raw), raw, ...(note !== undefined && { note }) };
  });
  return { type: "answers", choices, text };
}

/** Error results: seen with 2.1.197 and 2.1.325. */
function readRefusal(text: string): Received {
  if (text.includes("The user wants to clarify these questions")) return { type: "refused", by: "chat", text };
  if (/user declined to answer|doesn't want to (proceed|take this action)|Request interrupted by user/i.test(text))
    return { type: "refused", by: "escape", text };
  if (text.startsWith("No response after")) return { type: "timed-out", text };
  if (text.includes("Tool result missing")) return { type: "lost", text };
  return { type: "denied", text };
}
