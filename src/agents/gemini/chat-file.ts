import { z } from "zod";
import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import type { Received } from "../../core/receipt/received.ts";
import { matchOf } from "../gemini-kin/call-question.ts";
import { toldChoices } from "../gemini-kin/told-answers.ts";
import type { LineFormat, RecordItem } from "../capability/record.ts";
import { QUESTION_TOOL, readAnswers } from "./received.ts";
import { shownQuestions } from "./shown-questions.ts";

const text = z.string().optional().catch(undefined);
const Call = z.looseObject({
  id: text,
  name: text,
  args: z.unknown().optional(),
  status: text,
  result: z
    .array(z.looseObject({ functionResponse: z.looseObject({ response: z.unknown() }).optional().catch(undefined) }))
    .catch([]),
});
const Line = z.looseObject({
  type: text,
  timestamp: text,
  content: z.unknown().optional(),
  toolCalls: z.array(Call).catch([]),
});

/**
 * One line of `~/.gemini/tmp/<project>/chats/session-….jsonl`. A call is written down when it is over, in the line of its
 * message, which is written again then. Lines that begin with `$set` repeat what was, or forget it.
 */
export function readLine(raw: string): RecordItem[] {
  if (raw.startsWith('{"$')) return [];
  const line = parse(raw);
  if (!line) return [];
  const words = wordsIn(line.content);
  const at = Date.parse(line.timestamp ?? "") || 0;
  if (line.type === "user" && words !== "") {
    if (words.startsWith("<session_context>")) return [];
    return [
      { type: "told", text: words },
      { type: "prompt", text: words },
      { type: "context", text: words },
    ];
  }
  if (line.type !== "gemini") return [];
  const said: RecordItem[] = words === "" ? [] : [{ type: "said", text: words }];
  return [...said, ...line.toolCalls.flatMap((call) => callItems(call, at))];
}

function callItems({ id, name, args, status, result }: z.infer<typeof Call>, at: number): RecordItem[] {
  if (id === undefined || name === undefined) return [];
  const response = result[0]?.functionResponse?.response as { output?: unknown; error?: unknown } | undefined;
  const isQuestion = name === QUESTION_TOOL;
  const questions = (isQuestion ? shownQuestions(args) : undefined) ?? [];
  const match = isQuestion ? undefined : callMatch(name, args);
  const said = { status: status ?? "", output: wordsOf(response?.output), error: wordsOf(response?.error) };
  return [
    { type: "asked", key: id, questions, at, ...(match !== undefined && { match }) },
    { type: "result", key: id, read: (asked, kind = "question") => receivedIn(said, asked, kind) },
  ];
}

type Said = { status: string; output: string; error: string };

/** Word for word as 0.61.0 writes them. */
function receivedIn({ status, output, error }: Said, questions: readonly Question[], kind: Kind): Received {
  const spoken = output || error;
  if (status === "cancelled") return { type: "refused", by: "escape", text: spoken, isOnlyWay: true };
  if (kind !== "question") return { type: "ran", text: spoken, isError: status === "error" };
  const told = toldChoices(error, questions);
  if (told) return { type: "answers", choices: told, text: error, decidedBy: "hook" };
  if (status === "error") return { type: "denied", text: error };
  return readAnswers(output, questions);
}

/** Equal for the dialog's notice and for the record. Undefined: a tool that needs no leave, or is not known. */
export function callMatch(tool: string, input: unknown): string | undefined {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>;
  const field = (name: string) => (typeof fields[name] === "string" ? fields[name] : "");
  if (tool === "run_shell_command") return matchOf({ type: "command", command: field("command") });
  if (tool === "write_file" || tool === "replace")
    return matchOf({ type: "write", path: field("file_path"), changes: "" });
  if (tool !== "web_fetch") return undefined;
  const [url, ...others] = [...field("prompt").matchAll(/https?:\/\/\S+/g)].map(([found]) => found);
  return url === undefined || others.length > 0 ? undefined : matchOf({ type: "fetch", url });
}

const wordsOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function wordsIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.map((part: unknown) => (part as { text?: unknown } | null)?.text);
  return parts.filter((part) => typeof part === "string").join("\n");
}

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
    call: '"toolCalls"',
    result: '"toolCalls"',
    said: '"type":"gemini"',
    told: '"type":"user"',
    command: '"type":"user"',
    prompt: '"type":"user"',
    title: [],
    version: '"cliVersion"',
  },
  read: readLine,
  // It writes no version down.
  versionIn: () => undefined,
};
