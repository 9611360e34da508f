import { z } from "zod";
import type { ContentBlock, MessagesRequest, Written } from "./messages-api.ts";

/** The part of the Gemini API that a coding agent uses, as far as a scripted model must know it. */
const Part = z.looseObject({
  text: z.string().optional(),
  functionCall: z.unknown().optional(),
  functionResponse: z.looseObject({ id: z.string().default(""), response: z.unknown() }).optional(),
});
export const GenerateRequest = z.looseObject({
  contents: z.array(z.looseObject({ role: z.string().default("user"), parts: z.array(Part).default([]) })).default([]),
  tools: z
    .array(
      z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string().default("") })).default([]) }),
    )
    .default([]),
  generationConfig: z.looseObject({ responseMimeType: z.string().optional() }).optional(),
});
export type GenerateRequest = z.infer<typeof GenerateRequest>;

/** `/v1beta/models/<model>:streamGenerateContent` and the same at once. */
export const GENERATES = /:(stream)?[gG]enerateContent$/;

/** The same conversation as the Messages API has it: one script serves both. */
export function toMessagesRequest({ contents, tools }: GenerateRequest): MessagesRequest {
  return {
    model: "",
    stream: true,
    tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => ({ name }))),
    messages: contents.map(({ role, parts }) => ({
      role: role === "model" ? "assistant" : "user",
      content: parts.map(({ text = "", functionResponse: result }) =>
        result
          ? {
              type: "tool_result" as const,
              // It names a call by its tool and the model's own id.
              tool_use_id: result.id.replace(/^.*?__/, ""),
              is_error: typeof result.response === "object" && result.response !== null && "error" in result.response,
              content: JSON.stringify(result.response) ?? "",
            }
          : { type: "text" as const, text },
      ),
    })),
  };
}

export function generateReply(request: GenerateRequest, written: readonly Written[], stream: boolean): Response {
  // Titles, routing and the like want JSON.
  const isJson = request.generationConfig?.responseMimeType === "application/json";
  const parts = isJson ? [{ text: SIDE }] : written.map(({ block }) => partOf(block));
  const reply = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    modelVersion: "scripted",
  };
  if (!stream) return Response.json(reply);
  return new Response(`data: ${JSON.stringify(reply)}\n\n`, { headers: { "content-type": "text/event-stream" } });
}

const SIDE = JSON.stringify({
  title: "A title",
  reasoning: "scripted",
  model_choice: "flash",
  complexity_score: 1,
  complexity_reasoning: "scripted",
  next_speaker: "user",
});

function partOf(block: ContentBlock): object {
  if (block.type === "text") return { text: block.text };
  return { functionCall: { id: block.id, name: block.name, args: block.input } };
}
