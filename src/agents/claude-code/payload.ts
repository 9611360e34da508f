import { z } from "zod";
import { isRecommended, type Question } from "../../core/question.ts";

/** Hook payloads as Claude Code 2.1.197 and 2.1.325 send them; everything but the event's name may be missing. */
export const HookPayload = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string(),
  transcript_path: z.string().optional(),
  cwd: z.string().optional(),
  prompt_id: z.string().optional(),
  permission_mode: z.string().optional(),
  agent_id: z.string().optional(),
  tool_name: z.string().optional(),
  tool_use_id: z.string().optional(),
  tool_input: z.looseObject({}).optional(),
  tool_response: z.unknown().optional(),
  source: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});
export type HookPayload = z.infer<typeof HookPayload>;

export const QUESTION_TOOL = "AskUserQuestion";

const ToolOption = z.looseObject({
  label: z.coerce.string().catch(""),
  description: z.coerce.string().catch(""),
  preview: z.string().optional().catch(undefined),
});
const ToolQuestion = z.looseObject({
  question: z.coerce.string().catch(""),
  header: z.coerce.string().catch(""),
  multiSelect: z.boolean().catch(false),
  options: z.array(ToolOption).catch([]),
});
const ToolInput = z.looseObject({ questions: z.array(ToolQuestion) });

/** Undefined when this is no AskUserQuestion input. What the model wrote is kept as it came, never refused for style. */
export function questionsOf(input: unknown): Question[] | undefined {
  const parsed = ToolInput.safeParse(input);
  if (!parsed.success || parsed.data.questions.length === 0) return undefined;
  return parsed.data.questions.map(({ question, header, multiSelect, options }) => ({
    text: question,
    header: header === "undefined" ? "" : header,
    multiSelect,
    options: options.map(({ label, description, preview, ...rest }) => ({
      label,
      description: description === "undefined" ? "" : description,
      recommended: isRecommended(label, rest["recommended"]),
      ...(preview !== undefined && { preview }),
    })),
  }));
}
