import { z } from "zod";
import { truncate } from "../../core/text/text.ts";
import type { Headless, StreamItem } from "../capability/headless.ts";
import { CallRequest, isQuestion, Message, questionsOf } from "./payload.ts";
import { createTalk, MODE_NAMES } from "./talk.ts";
import { safelyParse } from "../../core/safely-parse.ts";

/** Without it only its plan mode asks ("under development" in 0.166.0). */
const ASKING = ["-c", "features.default_mode_request_user_input=true"];
const LONGEST_SUMMARY = 120;

const words = z.string().catch("");
const count = z.number().catch(0);
const Item = z.looseObject({
  type: words,
  id: words,
  text: words,
  command: words,
  tool: words,
  server: words,
  prompt: words,
  query: words,
  status: words,
  aggregatedOutput: words,
  changes: z.array(z.looseObject({ path: words })).catch([]),
});
type Item = z.infer<typeof Item>;
const Line = z.looseObject({
  type: words,
  version: z.string().optional().catch(undefined),
  session: z.string().optional().catch(undefined),
  event: z
    .looseObject({ message: Message.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  item: Item.optional().catch(undefined),
  key: words,
  text: words,
  message: words,
  ok: z.boolean().catch(false),
  inputTokens: count,
  outputTokens: count,
  used: z
    .looseObject({ turns: count, inputTokens: count, outputTokens: count })
    .catch({ turns: 0, inputTokens: 0, outputTokens: 0 }),
});
type Line = z.infer<typeof Line>;

export const headless: Headless = {
  command: () => ({ args: ["app-server", ...ASKING], input: "", inputUntil: "", leaveOut: [] }),
  talk: createTalk,
  tellsCost: false,
  looksFirst: false,
  settings: () => ({}),
  // It keeps a call open only while it runs: who lets it go ends it, and tells the answer in words.
  defer: undefined,
  canDefer: () => false,
  interrupt: undefined,
  modes: MODE_NAMES,
  carefulModes: ["plan", "read-only"],
  isUnknownSession: (errors) => errors.includes("no rollout found for thread id"),
  readStream(raw) {
    const line = safelyParse(Line, parsed(raw)).data;
    return line ? itemsIn(line) : [];
  },
};

function itemsIn(line: Line): StreamItem[] {
  const { type, version, session, event, item, key, text, message } = line;
  const heard: StreamItem[] = event ? [{ type: "heard", event }] : [];
  switch (type) {
    case "began":
      return [{ type, ...(version && { version }), ...(session !== undefined && { session }) }, ...heard];
    case "asked":
      return [...questionIn(event?.message), ...heard];
    case "settled":
      return [...(key === "" ? [] : [{ type: "returned" as const, key, isError: false, text: "" }]), ...heard];
    case "refused":
      return [{ type: "returned", key, isError: true, text }];
    case "doing":
      return item ? callIn(item) : [];
    case "done":
      return item ? doneIn(item) : [];
    case "used":
      return [{ type, message, inputTokens: line.inputTokens, outputTokens: line.outputTokens }];
    case "ended":
      return [{ type, ok: line.ok, text, usage: { ...line.used, costUsd: 0 }, reported: { costUsd: 0, tokens: 0 } }];
    default:
      return [];
  }
}

/** A question is no item of codex's: only the request tells of it. */
function questionIn({ method, params }: Partial<Message> = {}): StreamItem[] {
  const request = safelyParse(CallRequest, params).data;
  const questions = isQuestion({ method }) ? questionsOf(params) : undefined;
  if (!request || !questions) return [];
  const summary = truncate(questions.map((question) => question.text).join(" / "), LONGEST_SUMMARY);
  const key = request.itemId;
  return [{ type: "called", key, tool: "request_user_input", summary, message: key, input: params, asks: true }];
}

/** What codex says, thinks and was told is no call. */
const NO_CALL = new Set(["agentMessage", "userMessage", "hookPrompt", "reasoning", "plan", "contextCompaction"]);

function callIn(item: Item): StreamItem[] {
  const { type, id, command, tool, server, prompt, query, changes } = item;
  if (NO_CALL.has(type)) return [];
  const paths = changes.map(({ path }) => path).join(", ");
  const about = [command, paths, query, prompt].find((each) => each !== "") ?? "";
  const name = [server, tool].filter(Boolean).join("/") || type;
  const summary = truncate(about, LONGEST_SUMMARY);
  return [{ type: "called", key: id, tool: name, summary, message: id, input: item, asks: false }];
}

function doneIn({ type, id, text, status, aggregatedOutput }: Item): StreamItem[] {
  if (type === "agentMessage") return [{ type: "said", text }];
  if (NO_CALL.has(type)) return [];
  return [{ type: "returned", key: id, isError: status === "failed" || status === "declined", text: aggregatedOutput }];
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
