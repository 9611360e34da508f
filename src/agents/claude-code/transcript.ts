import { z } from "zod";
import type { TranscriptItem } from "../agent.ts";
import { QUESTION_TOOL, questionsOf } from "./payload.ts";
import { readResult } from "./received.ts";

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().optional(),
});
const Line = z.looseObject({
  type: z.string().optional(),
  isSidechain: z.boolean().optional(),
  message: z.looseObject({ content: z.union([z.string(), z.array(Block)]).optional() }).optional(),
  toolUseResult: z.unknown().optional(),
  version: z.string().optional(),
  timestamp: z.string().optional(),
});
type Line = z.infer<typeof Line>;

/** One line of `~/.claude/projects/…/<session>.jsonl`. */
export function readLine(text: string): TranscriptItem[] {
  const line = parse(text);
  if (!line) return [];
  const content = line.message?.content;
  const context = line.type === "attachment" || line.type === "system" ? [{ type: "context" as const, text }] : [];
  if (!Array.isArray(content)) return context;
  return [...context, ...content.flatMap((block) => readBlock(block, line))];
}

export function versionIn(text: string): string | undefined {
  return parse(text)?.version;
}

function readBlock(block: z.infer<typeof Block>, line: Line): TranscriptItem[] {
  if (block.type === "text" && line.type === "assistant" && !line.isSidechain)
    return [{ type: "said", text: block.text ?? "" }];
  if (block.type === "tool_use" && block.name === QUESTION_TOOL && block.id !== undefined) {
    const questions = questionsOf(block.input);
    return questions ? [{ type: "asked", key: block.id, questions, at: Date.parse(line.timestamp ?? "") || 0 }] : [];
  }
  if (block.type !== "tool_result" || block.tool_use_id === undefined) return [];
  const said = textOf(block.content);
  // With an error the structured result beside it is only the error's text again.
  const result = block.is_error ? undefined : line.toolUseResult;
  return [{ type: "result", key: block.tool_use_id, read: (questions) => readResult(result, questions, said) }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (part as { text?: unknown } | null)?.text ?? "").join("\n");
}

function parse(text: string): Line | undefined {
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
