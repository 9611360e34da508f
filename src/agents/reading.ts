import type { Kind } from "../core/ask/ask.ts";
import type { Question } from "../core/ask/question.ts";
import type { ToolCall } from "../core/ask/tool-call.ts";
import type { Received } from "../core/receipt/received.ts";

/** `title`: its own, where it says it. */
export type SessionFacts = {
  id: string;
  title?: string;
  cwd?: string;
  transcript?: string;
  mode?: string;
  server?: string;
};

/** What one call of an agent's hook says, in Parley's words. */
export type HookReading = { session: SessionFacts } & (
  | {
      type: "asked";
      kind: Kind;
      questions: Question[];
      /** Names the call where the questions do not: an approval or a plan. */
      match?: string;
      /** What it would do, where a grant can be about it. */
      call?: ToolCall;
      /** The same, where there may be more to it: good enough to ask, never to allow. */
      about?: ToolCall;
      key?: string;
      turn?: string;
      subagent?: string;
      subagentType?: string;
      dialogOpen: boolean;
    }
  | { type: "result"; key: string; questions: Question[]; received: Received }
  /** `said`: its last words, where it sends them along. */
  | { type: "turn-ended"; said?: string }
  /** Its person gave it a prompt. */
  | { type: "prompted" }
  /** `began`: it is new, and has done nothing yet. */
  | { type: "session-started"; resumed: boolean; began: boolean }
  | { type: "session-ended"; reason: string }
  /** `needs`: what only the agent's own terminal can give; undefined where a question says it better. */
  | { type: "noticed"; message: string; needs?: "idle" | "elicitation" }
);
