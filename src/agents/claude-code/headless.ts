import { z } from "zod";
import { truncate } from "../../core/text/text.ts";
import type { Headless, StreamItem } from "../capability/headless.ts";
import { taskSettings } from "./hook-lines.ts";
import { sandbox } from "./sandbox.ts";
import { QUESTION_TOOL, questionsOf } from "./question-input.ts";
import { textOf } from "./transcript.ts";

/** Without the permission tool the question tool is not offered at all. Nobody answers there: the hooks do. */
const FLAGS = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
const ASKING = ["--permission-prompt-tool", "stdio"];
/**
 * A call runs, and its hook waits, while the rest of its message is still being written (seen in 2.1.325 and 2.1.197).
 * Only the parts of a message say when it is whole; all but its beginning and end stand in the message again.
 */
const IN_PARTS = ["--include-partial-messages"];
const PARTS = ["content_block_", "message_delta"].map((type) => `{"type":"stream_event","event":{"type":"${type}`);

export const headless: Headless = {
  sandbox,
  command({ session, start, prompt, settings, model, permissionMode, budgetUsd }) {
    const which = start.how === "prompt" ? ["--session-id", session] : ["--resume", session];
    const said = { prompt, message: start.how === "message" ? start.message : "", deferred: "" }[start.how];
    return {
      args: [
        ...FLAGS,
        ...ASKING,
        ...IN_PARTS,
        ...which,
        "--settings",
        settings,
        "--permission-mode",
        permissionMode ?? "default",
        ...(model === undefined ? [] : ["--model", model]),
        ...(budgetUsd === undefined ? [] : ["--max-budget-usd", String(budgetUsd)]),
      ],
      // A run that was told to put off a call goes on with it by itself, in both versions, when nothing is said.
      input: said === "" ? "" : `${JSON.stringify({ type: "user", message: { role: "user", content: said } })}\n`,
      inputUntil: "result",
      leaveOut: PARTS,
    };
  },
  tellsCost: true,
  looksFirst: true,
  settings: taskSettings,
  defer: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" } },
  canDefer: (version) => version === undefined || atLeast(version, DEFERS_FROM),
  interrupt: {
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: { behavior: "deny", message: "Nobody has decided yet; stop here.", interrupt: true },
    },
  },
  // What 2.1.197 and 2.1.325 take.
  modes: ["default", "manual", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"],
  carefulModes: ["default", "plan"],
  isUnknownSession: (errors) => errors.includes("No conversation found with session ID"),
  readStream,
};

/** Earlier versions take `defer` for no decision at all. */
const DEFERS_FROM = "2.1.89";

function atLeast(version: string, wanted: string): boolean {
  const [mine, theirs] = [version, wanted].map((each) => each.split(".").map((part) => Number.parseInt(part, 10) || 0));
  const differs = theirs?.findIndex((part, i) => part !== mine?.[i]) ?? -1;
  return differs < 0 || (mine?.[differs] ?? 0) > (theirs?.[differs] ?? 0);
}

const text = z.string().optional().catch(undefined);
const count = z.number().catch(0);
const Block = z.looseObject({
  type: text,
  text,
  id: text,
  name: text,
  input: z.unknown().optional(),
  tool_use_id: text,
  content: z.unknown().optional(),
  is_error: z.unknown().optional(),
});
/** What came from the cache was read by the model too. */
const Tokens = z
  .looseObject({
    input_tokens: count.optional(),
    cache_creation_input_tokens: count.optional(),
    cache_read_input_tokens: count.optional(),
    output_tokens: count.optional(),
  })
  .transform((said) => ({
    inputTokens:
      (said.input_tokens ?? 0) + (said.cache_creation_input_tokens ?? 0) + (said.cache_read_input_tokens ?? 0),
    outputTokens: said.output_tokens ?? 0,
  }));
const ModelTokens = z.looseObject({
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  cacheReadInputTokens: count.optional(),
  cacheCreationInputTokens: count.optional(),
});
const Line = z.looseObject({
  type: text,
  subtype: text,
  claude_code_version: text,
  parent_tool_use_id: z.unknown().optional(),
  message: z
    .looseObject({ id: text, content: z.array(z.unknown()).catch([]), usage: Tokens.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  is_error: z.unknown().optional(),
  event: z
    .looseObject({ type: text, message: z.looseObject({ id: text }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  result: text,
  errors: z.array(z.string()).optional().catch(undefined),
  stop_reason: text,
  deferred_tool_use: z.looseObject({ id: z.string() }).optional().catch(undefined),
  num_turns: count.optional(),
  total_cost_usd: count.optional(),
  usage: Tokens.optional().catch(undefined),
  modelUsage: z.record(z.string(), ModelTokens).optional().catch(undefined),
});
type Line = z.infer<typeof Line>;

function readStream(raw: string): StreamItem[] {
  const line = parse(raw);
  if (line?.type === "result") return [ended(line)];
  if (line?.type === "system" && line.subtype === "init")
    return [{ type: "began", ...(line.claude_code_version !== undefined && { version: line.claude_code_version }) }];
  // What a subagent does is told by the call that started it.
  if (!line || line.parent_tool_use_id) return [];
  if (line.type === "stream_event") return partOf(line);
  if (!line.message) return [];
  const message = line.message.id ?? "";
  const used = line.type === "assistant" && line.message.usage;
  const items = line.message.content.flatMap((block) =>
    readBlock(Block.safeParse(block).data ?? {}, line.type, message),
  );
  return used ? [{ type: "used", message, ...used }, ...items] : items;
}

function partOf({ event }: Line): StreamItem[] {
  if (event?.type === "message_start") return [{ type: "message-began", message: event.message?.id ?? "" }];
  return event?.type === "message_stop" ? [{ type: "message-ended" }] : [];
}

function readBlock(block: z.infer<typeof Block>, from: string | undefined, message: string): StreamItem[] {
  if (from === "assistant" && block.type === "text") return [{ type: "said", text: block.text ?? "" }];
  if (from === "assistant" && block.type === "tool_use" && block.id !== undefined) {
    const tool = block.name ?? "";
    const { input } = block;
    const [summary, asks] = [summaryOf(tool, input), tool === QUESTION_TOOL];
    return [{ type: "called", key: block.id, tool, summary, message, input, asks }];
  }
  if (from !== "user" || block.type !== "tool_result" || block.tool_use_id === undefined) return [];
  const isError = block.is_error === true;
  return [{ type: "returned", key: block.tool_use_id, isError, text: textOf(block.content) }];
}

/** What 2.1.325 says for itself when a run was interrupted. */
const DIAGNOSTIC = "[ede_diagnostic]";

function ended(line: Line): StreamItem {
  const deferred = line.stop_reason === "tool_deferred" ? line.deferred_tool_use?.id : undefined;
  return {
    type: "ended",
    ok: line.is_error !== true,
    text: line.result ?? line.errors?.filter((error) => !error.startsWith(DIAGNOSTIC)).join("\n") ?? "",
    ...(deferred !== undefined && { deferred }),
    ...(line.subtype === "error_max_budget_usd" && { overBudget: true }),
    usage: {
      turns: line.num_turns ?? 0,
      ...(line.usage ?? { inputTokens: 0, outputTokens: 0 }),
      costUsd: line.total_cost_usd ?? 0,
    },
    reported: { costUsd: line.total_cost_usd ?? 0, tokens: tokensIn(line.modelUsage) },
  };
}

function tokensIn(models: Line["modelUsage"] = {}): number {
  return Object.values(models)
    .flatMap((used) => [used.inputTokens, used.outputTokens, used.cacheReadInputTokens, used.cacheCreationInputTokens])
    .reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0);
}

const LONGEST_SUMMARY = 120;
/** The field that says most about a call, by the names that Claude Code's own tools use. */
const TELLING = ["command", "file_path", "notebook_path", "pattern", "url", "query", "description", "prompt", "plan"];

function summaryOf(tool: string, input: unknown): string {
  const questions = tool === QUESTION_TOOL ? questionsOf(input) : undefined;
  if (questions) return truncate(questions.map((question) => question.text).join(" / "), LONGEST_SUMMARY);
  const fields = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const telling = TELLING.map((name) => fields[name]).find((value) => typeof value === "string" && value !== "");
  return truncate(typeof telling === "string" ? telling : "", LONGEST_SUMMARY);
}

function parse(raw: string): Line | undefined {
  try {
    return Line.safeParse(JSON.parse(raw)).data;
  } catch {
    return undefined;
  }
}
