import { z } from "zod";
import { isRecommended, type Question } from "../../core/ask/question.ts";

/** What is of another kind than expected counts as missing: it must not hide the rest. */
export const text = z.string().optional().catch(undefined);
const words = z.string().catch("");
/** An id or a path: none holds a NUL, and what is longer is neither. */
export const name = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/);
const maybe = name.optional().catch(undefined);
/** Its requests have numbers, and by its schema may have names. */
export const RequestId = z.union([z.number().int(), name]);
export type RequestId = z.infer<typeof RequestId>;

/** Anything that is said over the control socket: a request, a reply or a notice. */
export const Message = z.looseObject({
  id: RequestId.optional().catch(undefined),
  method: text,
  params: z.record(z.string(), z.unknown()).catch({}),
  result: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
export type Message = z.infer<typeof Message>;

export const isQuestion = ({ method }: Pick<Message, "method">): boolean => method === "item/tool/requestUserInput";

const Status = z.looseObject({ type: words, activeFlags: z.array(words).catch([]) });
export const StatusChange = z.looseObject({ threadId: name, status: Status });
export const isWaiting = ({ activeFlags }: z.infer<typeof Status>): boolean =>
  activeFlags.some((flag) => flag === "waitingOnUserInput" || flag === "waitingOnApproval");

/** `path`: its rollout. Helpers of codex's own, which find a title, are `ephemeral` and have none. */
export const Thread = z.looseObject({
  id: name,
  parentThreadId: maybe,
  ephemeral: z.boolean().catch(false),
  status: Status.catch({ type: "", activeFlags: [] }),
  path: maybe,
  cwd: maybe,
  name: maybe,
  /** Of a subagent: what codex calls it, and what it is for. */
  agentNickname: maybe,
  agentRole: maybe,
});
export type Thread = z.infer<typeof Thread>;

const ToolQuestion = z.looseObject({
  id: name,
  question: words,
  header: words,
  isOther: z.boolean().catch(true),
  isSecret: z.boolean().catch(false),
  options: z.array(z.looseObject({ label: words, description: words })).catch([]),
});
const QuestionInput = z.looseObject({ questions: z.array(ToolQuestion).min(1) });

/** Every request that names a call. `approvalId`: of one of several in the same call. */
export const CallRequest = z.looseObject({ threadId: name, turnId: name, itemId: name, approvalId: maybe });
export type CallRequest = z.infer<typeof CallRequest>;
export const CommandRequest = z.looseObject({
  command: words,
  cwd: maybe,
  reason: words,
  kind: words,
  networkApprovalContext: z.looseObject({ host: words, protocol: words }).optional().catch(undefined),
  availableDecisions: z.array(z.unknown()).catch([]),
});
export type CommandRequest = z.infer<typeof CommandRequest>;
export const FileRequest = z.looseObject({ reason: words, grantRoot: maybe });
export type FileRequest = z.infer<typeof FileRequest>;

/**
 * Undefined when these are no questions. `id` is how an answer is addressed; `ownWords: false`: a text of one's own is
 * not an answer. What is secret is typed into codex alone, so a request with such a question is left to it.
 */
export function questionsOf(input: unknown): Question[] | undefined {
  const parsed = QuestionInput.safeParse(input).data;
  if (!parsed || parsed.questions.some(({ isSecret }) => isSecret)) return undefined;
  return parsed.questions.map(({ id, question, header, isOther, options }) => ({
    id,
    text: question,
    header,
    multiSelect: false,
    ...(!isOther && { ownWords: false }),
    options: options.map(({ label, description }) => ({ label, description, recommended: isRecommended(label) })),
  }));
}
