import { z } from "zod";

/** The part of the Anthropic Messages API that a coding agent uses, as far as a scripted model must know it. */
const TextPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const ResultPart = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  is_error: z.boolean().default(false),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).default(""),
});
const OtherPart = z.looseObject({ type: z.string().refine((type) => type !== "text" && type !== "tool_result") });
const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.union([TextPart, ResultPart, OtherPart]))]),
});

export const MessagesRequest = z.looseObject({
  model: z.string().default(""),
  stream: z.boolean().default(false),
  messages: z.array(Message).default([]),
  tools: z.array(z.looseObject({ name: z.string().default("") })).default([]),
});
export type MessagesRequest = z.infer<typeof MessagesRequest>;
export type Message = z.infer<typeof Message>;

export type ToolResult = { toolUseId: string; isError: boolean; text: string };
export type ContentBlock =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };
/** A block of a message, and how long after what stands before it the model writes it. */
export type Written = { block: ContentBlock; afterMs: number };

export function textsOf(message: Message): string[] {
  if (typeof message.content === "string") return [message.content];
  return message.content.flatMap((part) => (isText(part) ? part.text : []));
}

export function toolResultsOf(message: Message): ToolResult[] {
  if (typeof message.content === "string") return [];
  return message.content.filter(isResult).map((part) => ({
    toolUseId: part.tool_use_id,
    isError: part.is_error,
    text: typeof part.content === "string" ? part.content : part.content.map(({ text }) => text ?? "").join("\n"),
  }));
}

export function messageReply(request: MessagesRequest, written: readonly Written[]): Response {
  const content = written.map(({ block }) => block);
  const message = {
    id: `msg_${crypto.randomUUID()}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
  if (!request.stream) return Response.json(message);
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: "message_stop" },
  ];
  async function* body() {
    for (const event of events) {
      const pause =
        event.type === "content_block_start" && "index" in event ? written[event.index]?.afterMs : undefined;
      if (pause !== undefined && pause > 0) await Bun.sleep(pause);
      yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    }
  }
  return new Response(body(), { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

function blockEvents(block: ContentBlock, index: number) {
  const [empty, delta] =
    block.type === "text"
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        ];
  return [
    { type: "content_block_start", index, content_block: empty },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}

function isText(part: { type: string }): part is z.infer<typeof TextPart> {
  return part.type === "text";
}

function isResult(part: { type: string }): part is z.infer<typeof ResultPart> {
  return part.type === "tool_result";
}
