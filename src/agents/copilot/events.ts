import { z } from "zod";
import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import type { LineFormat, RecordItem } from "../capability/record.ts";
import { approvalQuestion, callOf, matchOf } from "./approval.ts";
import { QUESTION_TOOL, questionsOf, text } from "./payload.ts";
import { readCompleted } from "./received.ts";

const words = z.string().catch("");
const Permission = z.looseObject({
  kind: words,
  toolCallId: text,
  intention: words,
  fullCommandText: text,
  fileName: text,
  path: text,
  url: text,
  diff: text,
});
const Data = z.looseObject({
  toolCallId: text,
  toolName: text,
  arguments: z.unknown().optional(),
  content: z.unknown().optional(),
  copilotVersion: text,
  success: z.boolean().optional().catch(undefined),
  result: z.looseObject({ content: words, detailedContent: text, kind: text }).optional().catch(undefined),
  error: z.looseObject({ message: words, code: words }).optional().catch(undefined),
  permissionRequest: Permission.optional().catch(undefined),
});
type Data = z.infer<typeof Data>;
const Line = z.looseObject({ type: z.string(), timestamp: text, data: Data.catch({}) });

/** A line of `session-state/<session>/events.jsonl`. What its hooks were told stands there too, and is nothing new. */
export const events: LineFormat = {
  marks: {
    question: [`"toolName":"${QUESTION_TOOL}"`],
    asked: [`"toolName":"${QUESTION_TOOL}"`, '"type":"permission.requested"'],
    call: '"type":"tool.execution_start"',
    result: "complete",
    said: '"type":"assistant.message"',
    told: '"type":"user.message"',
    // A command of its own begins no turn, and is not written down.
    command: '"type":"command"',
    prompt: '"type":"user.message"',
    title: [],
    version: '"copilotVersion"',
  },
  read(raw) {
    const line = Line.safeParse(parsed(raw)).data;
    return line ? itemsIn(line.type, line.data, Date.parse(line.timestamp ?? "") || 0) : [];
  },
  versionIn: (raw) => Line.safeParse(parsed(raw)).data?.data.copilotVersion,
};

function itemsIn(type: string, data: Data, at: number): RecordItem[] {
  switch (type) {
    case "tool.execution_start":
      return started(data, at);
    case "permission.requested":
      return wantsLeave(data, at);
    case "tool.execution_complete":
      return completed(data);
    case "permission.completed":
      return cancelled(data);
    case "assistant.message":
      return said(data, (words) => [{ type: "said", text: words }]);
    case "user.message":
      return said(data, (words) => [
        { type: "prompt", text: words },
        { type: "told", text: words },
      ]);
    default:
      return [];
  }
}

function said({ content }: Data, items: (words: string) => RecordItem[]): RecordItem[] {
  return typeof content === "string" && content.trim() !== "" ? items(content) : [];
}

function started({ toolCallId: key, toolName: tool = "", arguments: given }: Data, at: number): RecordItem[] {
  if (key === undefined) return [];
  const questions = tool === QUESTION_TOOL ? questionsOf(given) : undefined;
  if (questions) return [{ type: "asked", key, questions, at }];
  return [{ type: "asked", key, questions: [], match: matchOf(callOf(tool, given)) ?? key, at }];
}

function wantsLeave({ permissionRequest: wanted }: Data, at: number): RecordItem[] {
  const key = wanted?.toolCallId;
  if (!wanted || key === undefined) return [];
  const { kind, intention, fullCommandText: command, fileName, path = fileName, url, diff } = wanted;
  const call =
    command !== undefined
      ? ({ type: "command", command } as const)
      : url !== undefined
        ? ({ type: "fetch", url } as const)
        : path !== undefined && ["read", "write"].includes(kind)
          ? ({ type: kind as "read" | "write", path } as const)
          : undefined;
  const about = command ?? url ?? path ?? "";
  const question = approvalQuestion({ kind, intention, call, about, diff });
  const asked: RecordItem = {
    type: "asked",
    key,
    kind: "approval",
    questions: [question],
    match: matchOf(call) ?? key,
    at,
  };
  return [{ ...asked, ...(call && { call }), ...(question["shown"] === undefined && { isTerminalOnly: true }) }];
}

function completed({ toolCallId: key, result, error, success }: Data): RecordItem[] {
  if (key === undefined) return [];
  const content = result?.content ?? error?.message ?? "";
  const detail = result?.detailedContent ?? content;
  const done = { text: content, detail, isError: success === false, code: error?.code ?? "" };
  const read = (questions: readonly Question[], kind: Kind = "question") => readCompleted(done, questions, kind);
  return [{ type: "result", key, read }];
}

/** Esc ends the turn: the call itself has no end then. */
function cancelled({ toolCallId: key, result }: Data): RecordItem[] {
  if (key === undefined || result?.kind !== "cancelled") return [];
  return [
    { type: "result", key, read: () => ({ type: "refused", by: "escape", text: "Operation cancelled by user" }) },
  ];
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
