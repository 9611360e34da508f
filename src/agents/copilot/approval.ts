import { callTitle } from "../../core/ask/call-title.ts";
import type { Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import { APPROVE, DENY } from "../../core/ask/answer/verdicts.ts";
import { truncate } from "../../core/text/text.ts";

/** More than a person reads before they decide; the terminal has the rest. */
const MOST = 8000;
const LONGEST = 8000;

/** A call that waits for leave, as its record tells it. `question`: what its dialog asks in the end. */
export type Permission = {
  kind: string;
  intention: string;
  call?: ToolCall | undefined;
  about: string;
  diff?: string | undefined;
};

/**
 * `shown` is what its dialog says above the rows, where that is known to the letter: only then do keys answer it. To
 * allow something for good is left to the terminal, and to grants.
 */
export function approvalQuestion({ kind, intention, call, about, diff }: Permission): Question {
  const command = call?.type === "command" ? call.command : undefined;
  const lines = diff?.split("\n").filter((line) => /^[+-](?!\+\+|--)/.test(line)) ?? [];
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const title =
    call?.type === "write"
      ? callTitle({ ...call, added: count("+"), removed: count("-") })
      : callTitle(call ?? { type: "other", tool: kind, about });
  const body = [
    command === undefined ? (diff ?? about) : `$ ${command}`,
    ...(intention === "" ? [] : [`# ${intention}`]),
  ];
  return {
    text: TEXTS[kind] ?? "Allow this?",
    title,
    body: truncate(body.join("\n").trim(), MOST),
    header: kind,
    multiSelect: false,
    options: [APPROVE, DENY],
    ...(command !== undefined && { shown: [intention, command, "Do you want to run this command?"].join("\n") }),
    ...(call?.type === "write" && lines.length > 0 && { shown: shownEdit(intention, call.path, lines) }),
  };
}

/** In parts: between them stand numbers of lines, and lines that stay as they are. */
const shownEdit = (intention: string, path: string, lines: readonly string[]): string[] => [
  intention,
  path.slice(path.lastIndexOf("/") + 1),
  ...lines,
  "Do you want to",
  `${path}?`,
];

const TEXTS: Record<string, string> = {
  shell: "Allow this command?",
  write: "Allow this edit?",
  read: "Allow reading this?",
  url: "Allow this address?",
};

/** Equal calls have equal matches: by what a grant can be about. Others are known by their own id. */
export function matchOf(call: ToolCall | undefined): string | undefined {
  if (!call) return undefined;
  const what = call.type === "command" ? call.command : call.type === "fetch" ? call.url : call.path;
  return `${call.type} ${new Bun.CryptoHasher("sha256").update(what).digest("hex")}`;
}

/** What a call does, where its input holds nothing but what is known. */
export function callOf(tool: string, input: unknown): ToolCall | undefined {
  const given = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  if (tool !== "bash" || Object.keys(given).some((field) => !OF_COMMAND.has(field))) return undefined;
  const { command } = given;
  const isShown = typeof command === "string" && command !== "" && command.length <= LONGEST;
  return isShown ? { type: "command", command } : undefined;
}

const OF_COMMAND = new Set(["command", "description", "mode", "initial_wait", "shellId"]);
