import { z } from "zod";
import type { ContentBlock, MessagesRequest, Written } from "./messages-api.ts";

/** The part of the Chat Completions API that a coding agent uses, as far as a scripted model must know it. */
const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const ChatMessage = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  /** Of a message of role `tool`. */
  tool_call_id: z.string().optional(),
});
export const ChatRequest = z.looseObject({
  model: z.string().default(""),
  stream: z.boolean().default(false),
  messages: z.array(ChatMessage).default([]),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string().default("") }) })).default([]),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** The same conversation as the Messages API has it: one script serves both. This API does not say which results are errors. */
export function toMessagesRequest({ model, stream, messages, tools }: ChatRequest): MessagesRequest {
  return {
    model,
    stream,
    tools: tools.map((tool) => ({ name: tool.function.name })),
    messages: messages.map(({ role, content, tool_call_id }) => {
      const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n");
      if (role !== "tool") return { role, content: text };
      const result = { type: "tool_result" as const, tool_use_id: tool_call_id ?? "", is_error: false, content: text };
      return { role: "user", content: [result] };
    }),
  };
}

export function chatReply(request: ChatRequest, written: readonly Written[]): Response {
  const content = written.map(({ block }) => block);
  const base = { id: `chatcmpl_${crypto.randomUUID()}`, created: 0, model: request.model };
  const finish_reason = content.some(({ type }) => type === "tool_use") ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  if (!request.stream) {
    const message = { role: "assistant", ...merged(content) };
    const choices = [{ index: 0, message, finish_reason }];
    return Response.json({ ...base, object: "chat.completion", choices, usage });
  }
  const chunk = (delta: object, more: object = {}) => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  });
  async function* body() {
    let call = 0;
    yield line(chunk({ role: "assistant", content: "" }));
    for (const { block, afterMs } of written) {
      if (afterMs > 0) await Bun.sleep(afterMs);
      yield line(chunk(block.type === "text" ? { content: block.text } : { tool_calls: [toolCall(block, call++)] }));
    }
    yield line({ ...chunk({}, { finish_reason }), usage });
    yield "data: [DONE]\n\n";
  }
  return new Response(body(), { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

const line = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;

function toolCall(block: ContentBlock & { type: "tool_use" }, index: number) {
  const { id, name, input } = block;
  return { index, id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function merged(content: readonly ContentBlock[]) {
  const calls = content.filter((block) => block.type === "tool_use").map(toolCall);
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return { content: texts.join("\n"), ...(calls.length > 0 && { tool_calls: calls }) };
}
