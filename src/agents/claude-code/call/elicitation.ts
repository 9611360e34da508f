import type { Answer } from "../../../core/ask/answer/answer.ts";
import type { Ask } from "../../../core/ask/ask.ts";
import type { Outcome } from "../../../core/ask/outcome.ts";
import type { Question } from "../../../core/ask/question.ts";
import { elicitationMatch } from "../../../core/elicitation/asker.ts";
import { elicitationResult } from "../../../core/elicitation/elicitation-result.ts";
import { addressQuestions, formQuestions } from "../../../core/elicitation/form-questions.ts";
import { matchOf } from "./match.ts";
import type { HookPayload } from "../payload.ts";

// What a server of the Model Context Protocol asks for while one of its tools runs. The hook comes before the dialog, with
// no id of the call: its tools are named after the server.

type Asked = { kind: "elicitation"; questions: Question[]; match: string; prefill?: Answer[] };

/** Undefined: a form that only Claude Code's own dialog can fill in. */
export function elicitationIn(payload: HookPayload): Asked | undefined {
  const { mcp_server_name: server = "", message = "", mode, url, requested_schema: schema } = payload;
  const read =
    mode === "url"
      ? url !== undefined && { questions: addressQuestions({ server, message, url }) }
      : formQuestions({ server, message, schema });
  if (!read || server === "") return undefined;
  return {
    kind: "elicitation",
    ...read,
    match: elicitationMatch(askerIn(payload), matchOf("", [message, schema, url]).trim()),
  };
}

/** What the names of its tools begin with. */
export const askerIn = ({ mcp_server_name: server = "" }: HookPayload): string =>
  `mcp__${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}__`;

export function elicitationReply({ questions }: Ask, outcome: Outcome): unknown {
  const result = elicitationResult(questions, outcome);
  return result && { hookSpecificOutput: { hookEventName: "Elicitation", ...result } };
}

export const ACTIONS = ["accept", "decline", "cancel"] as const;
