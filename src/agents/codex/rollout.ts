import { asRecord, asText } from "../../core/record.ts";
import { z } from "zod";
import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import { KEPT_MARK } from "../../core/receipt/send.ts";
import type { LineFormat, RecordItem } from "../capability/record.ts";
import { questionsOf, text } from "./payload.ts";
import { readOutput } from "./received.ts";
import { versionIn } from "./version.ts";

const QUESTION_TOOL = "request_user_input";
const Payload = z.looseObject({
  type: text,
  role: text,
  name: text,
  call_id: text,
  /** Of a function, as JSON in a text; `input`: of a tool that takes plain text. */
  arguments: text,
  input: text,
  content: z.unknown().optional(),
  output: z.unknown().optional(),
  cli_version: text,
});
type Payload = z.infer<typeof Payload>;
const Line = z.looseObject({ timestamp: text, type: text, payload: Payload.catch({}) });

/** A line of `sessions/…/rollout-<time>-<thread>.jsonl`. Only `response_item` is what the model reads. */
export const rollout: LineFormat = {
  marks: {
    question: [QUESTION_TOOL],
    asked: [QUESTION_TOOL],
    call: '_call"',
    result: '_call_output"',
    said: '"role":"assistant"',
    told: '"role":"user"',
    // Its own commands begin no turn, and are not written down.
    command: '"type":"command"',
    prompt: '"role":"user"',
    title: [],
    version: '"cli_version"',
  },
  read(raw) {
    const line = Line.safeParse(parsed(raw)).data;
    return line?.type === "response_item" ? itemsIn(line.payload, Date.parse(line.timestamp ?? "") || 0) : [];
  },
  versionIn: (raw) => versionIn(Line.safeParse(parsed(raw)).data?.payload.cli_version ?? ""),
};

function itemsIn(payload: Payload, at: number): RecordItem[] {
  const { type = "", call_id: key } = payload;
  if (type === "message") return saidIn(payload);
  if (key === undefined) return [];
  if (type.endsWith("_call_output")) {
    const output = textOf(payload.output);
    const read = (questions: readonly Question[], kind: Kind = "question") => readOutput(output, questions, kind);
    return [{ type: "result", key, read }];
  }
  if (!type.endsWith("_call")) return [];
  const questions = payload.name === QUESTION_TOOL ? questionsOf(callIn(payload)) : undefined;
  return [{ type: "asked", key, questions: questions ?? [], ...(!questions && { match: key }), at }];
}

/** What codex tells the model in a person's place stands in tags: where it works, that its turn was aborted. What Parley does, by its mark. */
function saidIn(payload: Payload): RecordItem[] {
  const words = textOf(payload.content);
  if (payload.role === "assistant") return [{ type: "said", text: words }];
  if (payload.role !== "user") return [];
  const isOwn = words.trim() === "" || /^\s*<[a-z_]+>/.test(words) || words.includes(KEPT_MARK);
  return [...(isOwn ? [] : [{ type: "prompt" as const, text: words }]), { type: "told", text: words }];
}

/** What the call with this id was given, where a line tells it. Contract: never throws. */
export function callOf(raw: string, key: string): unknown {
  const line = Line.safeParse(parsed(raw)).data;
  const isCall = line?.type === "response_item" && line.payload.call_id === key && line.payload.type?.endsWith("_call");
  return isCall ? callIn(line.payload) : undefined;
}

const callIn = ({ arguments: given, input }: Payload): unknown => (given === undefined ? { input } : parsed(given));

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => asText(asRecord(part)?.["text"])).join("\n");
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
