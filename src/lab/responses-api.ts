import { z } from "zod";
import type { ContentBlock, MessagesRequest, Written } from "./messages-api.ts";

/** The part of the Responses API that a coding agent uses, as far as a scripted model must know it. */
const Part = z.looseObject({ text: z.string().optional() });
const Said = z.union([z.string(), z.array(Part)]).nullish();
const Item = z.looseObject({
  type: z.string().default("message"),
  role: z.string().default(""),
  content: Said,
  /** Of a call and of its output. */
  call_id: z.string().optional(),
  output: Said.catch(null),
});
type Item = z.infer<typeof Item>;
export const ResponsesRequest = z.looseObject({
  model: z.string().default(""),
  stream: z.boolean().default(false),
  input: z.array(Item).default([]),
  tools: z.array(z.looseObject({ name: z.string().default("") })).default([]),
});
export type ResponsesRequest = z.infer<typeof ResponsesRequest>;

/** The same conversation as the Messages API has it: one script serves both. This API does not say which results are errors. */
export function toMessagesRequest({ model, stream, input, tools }: ResponsesRequest): MessagesRequest {
  return {
    model,
    stream,
    tools: tools.map(({ name }) => ({ name })),
    messages: input.map((item) => {
      if (item.type.endsWith("_output")) return { role: "user", content: [resultIn(item)] };
      if (item.type.endsWith("_call") || item.type === "reasoning") return { role: "assistant", content: "" };
      return { role: item.role, content: textOf(item.content) };
    }),
  };
}

function resultIn({ call_id = "", output }: Item) {
  return { type: "tool_result" as const, tool_use_id: call_id, is_error: false, content: textOf(output) };
}

const textOf = (said: z.infer<typeof Said>): string =>
  typeof said === "string" ? said : (said ?? []).map(({ text }) => text ?? "").join("\n");

export function responsesReply({ model }: ResponsesRequest, written: readonly Written[]): Response {
  const id = `resp_${crypto.randomUUID()}`;
  const output = written.map(({ block }, i) => itemOf(block, `${id}_${i}`));
  const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
  const base = { id, object: "response", created_at: 0, model };
  async function* body() {
    yield event("response.created", { response: { ...base, status: "in_progress", output: [] } });
    for (const [output_index, item] of output.entries()) {
      const afterMs = written[output_index]?.afterMs ?? 0;
      if (afterMs > 0) await Bun.sleep(afterMs);
      yield event("response.output_item.added", { output_index, item });
      yield event("response.output_item.done", { output_index, item });
    }
    yield event("response.completed", { response: { ...base, status: "completed", output, usage } });
  }
  return new Response(body(), { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

function itemOf(block: ContentBlock, id: string) {
  if (block.type === "text")
    return { type: "message", id, role: "assistant", content: [{ type: "output_text", text: block.text }] };
  const { id: call_id, name: whole, input } = block;
  // Some tools stand in a namespace: `multi_agent_v1/spawn_agent`.
  const [name, namespace] = whole.split("/").toReversed();
  return {
    type: "function_call",
    id,
    call_id,
    name,
    ...(namespace && { namespace }),
    arguments: JSON.stringify(input),
  };
}
