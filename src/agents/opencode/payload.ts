import { z } from "zod";
import { isRecommended, type Question } from "../../core/ask/question.ts";

/** What is of another kind than expected counts as missing: it must not hide the rest. */
export const text = z.string().optional().catch(undefined);
const words = z.string().catch("");
const names = z.array(words).catch([]);
const fields = z.record(z.string(), z.unknown()).catch({});
/** An id or a path: none holds a NUL, and what is longer is neither. */
export const name = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/);
const maybe = name.optional().catch(undefined);
const Tool = z.looseObject({ messageID: maybe, callID: maybe }).optional().catch(undefined);

const ToolQuestion = z.looseObject({
  question: words,
  header: words,
  multiple: z.boolean().catch(false),
  custom: z.boolean().optional().catch(undefined),
  options: z.array(z.looseObject({ label: words, description: words })).catch([]),
});
const QuestionInput = z.looseObject({ questions: z.array(ToolQuestion).min(1) });

/** An entry of `GET /question`, and what `question.asked` carries. */
export const QuestionRequest = z.looseObject({ id: name, sessionID: name, questions: z.unknown(), tool: Tool });
/** An entry of `GET /permission`, and what `permission.asked` carries. `metadata` is empty for a command before 1.18. */
export const PermissionRequest = z.looseObject({
  id: name,
  sessionID: name,
  permission: words,
  patterns: names,
  always: names,
  metadata: fields,
  tool: Tool,
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** A call as the plugin saw it begin. */
export const Call = z.looseObject({ tool: words, input: fields });
export type Call = z.infer<typeof Call>;

/** A tool call in an event, in `GET /session/{id}/message`, or in the column `data` of the record, which has no ids. */
export const ToolPart = z.looseObject({
  type: z.literal("tool"),
  tool: words,
  callID: name,
  sessionID: maybe,
  messageID: maybe,
  state: z.looseObject({
    status: words,
    input: z.unknown().optional(),
    output: text,
    error: text,
    metadata: fields.optional(),
  }),
});
export type ToolPart = z.infer<typeof ToolPart>;

export const SessionInfo = z.looseObject({ id: name, parentID: maybe, title: text, directory: maybe });

/** Undefined when this is no input of the question tool. `ownWords: false`: a text of one's own is not an answer to it. */
export function questionsOf(input: unknown): Question[] | undefined {
  const parsed = QuestionInput.safeParse(input);
  if (!parsed.success) return undefined;
  return parsed.data.questions.map(({ question, header, multiple, custom, options }) => ({
    text: question,
    header,
    multiSelect: multiple,
    ...(custom === false && { ownWords: false }),
    options: options.map(({ label, description, ...rest }) => ({
      label,
      description,
      recommended: isRecommended(label, rest["recommended"]),
    })),
  }));
}
