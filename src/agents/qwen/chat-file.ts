import { z } from "zod";
import { matchOf } from "../gemini-kin/call-question.ts";
import { questionsOf } from "../gemini-kin/questions.ts";
import type { LineFormat, RecordItem } from "../capability/record.ts";
import { askingOf } from "./approval.ts";
import { CallResult, QUESTION_TOOL, receivedIn } from "./received.ts";

const text = z.string().optional().catch(undefined);
const Part = z.looseObject({
  text,
  thought: z.unknown().optional(),
  functionCall: z.looseObject({ id: text, name: text, args: z.unknown().optional() }).optional().catch(undefined),
  functionResponse: z.looseObject({ response: z.unknown().optional() }).optional().catch(undefined),
});
const Line = z.looseObject({
  type: text,
  timestamp: text,
  version: text,
  message: z
    .looseObject({ parts: z.array(Part).catch([]) })
    .optional()
    .catch(undefined),
  toolCallResult: CallResult.optional().catch(undefined),
});

/** One line of `~/.qwen/projects/<folder>/chats/<session>.jsonl`: a call is there before its dialog, its result after. */
export function readLine(raw: string): RecordItem[] {
  const line = parse(raw);
  const parts = line?.message?.parts ?? [];
  const words = parts
    .flatMap((part) => (part.text !== undefined && part.thought === undefined ? part.text : []))
    .join("\n");
  const at = Date.parse(line?.timestamp ?? "") || 0;
  if (line?.type === "user" && words !== "")
    return [
      { type: "told", text: words },
      { type: "prompt", text: words },
      { type: "context", text: words },
    ];
  if (line?.type === "assistant") {
    const said: RecordItem[] = words === "" ? [] : [{ type: "said", text: words }];
    return [...said, ...parts.flatMap(({ functionCall }) => (functionCall ? callIn(functionCall, at) : []))];
  }
  const result = line?.type === "tool_result" ? line.toolCallResult : undefined;
  if (result?.callId === undefined) return [];
  const response = parts[0]?.functionResponse?.response as { output?: unknown; error?: unknown } | null | undefined;
  const said = wordsOf(response?.output ?? response?.error);
  return [
    { type: "result", key: result.callId, read: (asked, kind = "question") => receivedIn(result, said, asked, kind) },
  ];
}

function callIn(
  { id, name, args }: { id?: string | undefined; name?: string | undefined; args?: unknown },
  at: number,
): RecordItem[] {
  if (id === undefined || name === undefined) return [];
  if (name === QUESTION_TOOL) return [{ type: "asked", key: id, questions: questionsOf(args) ?? [], at }];
  return [{ type: "asked", key: id, questions: [], match: matchOf(askingOf(name, args)), at }];
}

const wordsOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function parse(raw: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(raw)).data;
  } catch {
    return undefined;
  }
}

export const lines: LineFormat = {
  marks: {
    question: [`"${QUESTION_TOOL}"`],
    asked: [`"${QUESTION_TOOL}"`],
    call: '"functionCall"',
    result: '"tool_result"',
    said: '"type":"assistant"',
    told: '"type":"user"',
    command: '"type":"user"',
    prompt: '"type":"user"',
    title: [],
    version: '"version"',
  },
  read: readLine,
  versionIn: (line) => parse(line)?.version,
};
