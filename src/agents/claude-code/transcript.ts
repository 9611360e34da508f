import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import type { Decider } from "../../core/receipt/received.ts";
import type { LineFormat, RecordItem } from "../capability/record.ts";
import { asRecord } from "../../core/record.ts";
import { QUESTION_TOOL, questionsOf, textOr } from "./question-input.ts";
import { readResult, readToolResult } from "./received.ts";
import { matchOf } from "./call/match.ts";

/** What is of another kind than expected counts as missing: it must not hide the rest of its line. By hand: see `question-input.ts`. */
const text = (value: unknown) => textOr(value, undefined);

type Block = ReturnType<typeof blockOf>;
function blockOf(value: unknown) {
  const { type, text: words, id, name, input, tool_use_id, content, is_error } = asRecord(value) ?? {};
  const call = { id: text(id), name: text(name), input };
  return { type: text(type), text: text(words), ...call, tool_use_id: text(tool_use_id), content, is_error };
}

type Line = NonNullable<ReturnType<typeof lineOf>>;
function lineOf(value: unknown) {
  const line = asRecord(value);
  if (!line) return undefined;
  const decided = asRecord(line["permissionDecision"]);
  const source = text(decided?.["source"]);
  return {
    type: text(line["type"]),
    isSidechain: line["isSidechain"],
    /** Written by Claude Code itself: a caveat, a summary of what was before. */
    isMeta: line["isMeta"],
    isCompactSummary: line["isCompactSummary"],
    customTitle: text(line["customTitle"]),
    aiTitle: text(line["aiTitle"]),
    summary: text(line["summary"]),
    content: asRecord(line["message"])?.["content"],
    /** `tool_use_result` in the output of a headless run. */
    result: line["toolUseResult"] ?? line["tool_use_result"],
    decision: source === undefined ? undefined : { source, decision: text(decided?.["decision"]) },
    attachment: text(asRecord(line["attachment"])?.["type"]),
    version: text(line["version"]),
    timestamp: text(line["timestamp"]),
    /** Where the session was when it wrote this. */
    cwd: text(line["cwd"]),
  };
}

/** One line of `~/.claude/projects/…/<session>.jsonl`, or of what a headless run prints with `stream-json`. */
export function readLine(raw: string): RecordItem[] {
  const line = parse(raw);
  try {
    return line ? itemsIn(line, raw) : [];
  } catch (error) {
    // Nested deeper than anything that walks it can go.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function itemsIn(line: Line, raw: string): RecordItem[] {
  if (line.attachment === "hook_additional_context") return [{ type: "context", text: raw }];
  // 2.1.325 also copies its API requests into the file (`api-request-blob`): only the conversation itself counts.
  if (line.type !== "user" && line.type !== "assistant") return titleIn(line);
  const { content } = line;
  if (line.type === "user" && typeof content === "string")
    return [...commandIn(content), ...promptIn(content, line), { type: "told", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => readBlock(blockOf(block), line));
}

const COMMAND_MARK = "<command-name>";

const MARKS: LineFormat["marks"] = {
  question: [QUESTION_TOOL, '"answers":{'],
  asked: [QUESTION_TOOL],
  call: '"tool_use"',
  result: "tool_result",
  said: '"assistant"',
  told: '"user"',
  command: COMMAND_MARK,
  prompt: '"type":"user"',
  title: ['"type":"custom-title"', '"type":"ai-title"', '"type":"summary"'],
  version: '"version"',
};
export const lines: LineFormat = { marks: MARKS, read: readLine, versionIn };

/**
 * Carried out by Claude Code itself: they begin no work, so the one before still counts. 2.1.325 writes them as `system`
 * lines; others write them like any command.
 */
const OWN = new Set(
  `add-dir agents allowed-tools bashes bug clear compact config context cost doctor effort exit export extra-usage fast feedback
  help hooks ide install-github-app keybindings login logout mcp memory mobile model output-style passes permissions plan plugin
  privacy-settings quit release-notes reload-plugins remote-env rename resume rewind sandbox skills stats status statusline
  stickers tag tasks terminal-setup theme todos upgrade usage vim`.split(/\s+/),
);

/** A command that becomes a prompt. Elsewhere in a text the mark is a quotation. */
function commandIn(content: string): RecordItem[] {
  if (!/^\s*<command-(?:name|message)>/.test(content)) return [];
  const [, name] = /<command-name>\s*(\/[^<\s]{1,200})\s*<\/command-name>/.exec(content) ?? [];
  if (name === undefined || OWN.has(name.slice(1))) return [];
  const [, words = ""] = /<command-args>([^<]{0,500})/.exec(content) ?? [];
  return [{ type: "command", text: `${name} ${words}`.trim() }];
}

/** What Claude Code writes in a person's place: the output of their own commands, news of background work, an Esc. */
const NOT_SAID =
  /^\s*(?:<(?:local-command|command-|bash-|task-notification|system-reminder|user-memory)|\[Request interrupted)/;

function promptIn(content: string, { isSidechain, isMeta, isCompactSummary }: Line): RecordItem[] {
  if (isSidechain || isMeta || isCompactSummary || content.trim() === "") return [];
  const [command] = commandIn(content);
  if (command?.type === "command") return [{ type: "prompt", text: command.text }];
  return NOT_SAID.test(content) ? [] : [{ type: "prompt", text: content }];
}

/** `/rename`, the title it makes up itself, and that of versions before 2.1. */
function titleIn({ type, customTitle, aiTitle, summary }: Line): RecordItem[] {
  const titles = new Map([
    ["custom-title", customTitle],
    ["ai-title", aiTitle],
    ["summary", summary],
  ]);
  const title = titles.get(type ?? "")?.trim();
  return title ? [{ type: "title", text: title, isOwn: type === "custom-title" }] : [];
}

export function versionIn(raw: string): string | undefined {
  return parse(raw)?.version;
}

function readBlock(block: Block, line: Line): RecordItem[] {
  if (block.type === "text" && line.type === "assistant" && !line.isSidechain)
    return [{ type: "said", text: block.text ?? "" }];
  if (block.type === "text" && line.type === "user") {
    const text = block.text ?? "";
    return [
      ...commandIn(text),
      ...promptIn(text, line),
      ...(line.isSidechain ? [] : [{ type: "told" as const, text }]),
    ];
  }
  if (block.type === "tool_use" && block.name !== undefined && block.id !== undefined) {
    const at = Date.parse(line.timestamp ?? "") || 0;
    if (block.name !== QUESTION_TOOL)
      return [
        {
          type: "asked",
          key: block.id,
          questions: [],
          match: matchOf(block.name, block.input, line.cwd),
          tool: block.name,
          at,
        },
      ];
    const questions = questionsOf(block.input);
    return questions ? [{ type: "asked", key: block.id, questions, at }] : [];
  }
  if (block.type !== "tool_result" || block.tool_use_id === undefined) return [];
  const said = textOf(block.content);
  // With an error the structured result beside it is only the error's text again.
  const result = block.is_error ? undefined : line.result;
  const isError = block.is_error === true;
  const decider = deciderOf(line, isError);
  const read = (questions: readonly Question[], kind: Kind = "question") =>
    kind === "question" ? readResult(result, questions, said, decider) : readToolResult(said, isError, decider);
  const questions = questionsOf(result);
  return [{ type: "result", key: block.tool_use_id, ...(questions && { questions }), read }];
}

/** 2.1.325 writes down who decided: `hook`, or `user_temporary` for the dialog. 2.1.197 does not. */
function deciderOf({ decision }: Line, isError: boolean): Decider | undefined {
  // What a hook let through and then failed was refused by nobody.
  if (decision?.source === "hook" && isError && decision.decision === "accept") return undefined;
  if (decision?.source === "hook") return "hook";
  return decision?.source.startsWith("user") ? "person" : undefined;
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (part as { text?: unknown } | null)?.text ?? "").join("\n");
}

function parse(raw: string): Line | undefined {
  try {
    return lineOf(JSON.parse(raw));
  } catch {
    return undefined;
  }
}
