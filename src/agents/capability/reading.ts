import type { Kind } from "../../core/ask/ask.ts";
import type { ChannelName } from "../../core/ask/channel.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Question } from "../../core/ask/question.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { Editable } from "../../core/ask/edit-schema.ts";
import type { FileChange } from "../../core/fact/file-change.ts";
import type { Received } from "../../core/receipt/received.ts";

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
      /** What it would make of a file, where it says so. */
      change?: FileChange;
      /** What of it a person may change before they allow it. */
      editable?: Editable;
      key?: string;
      turn?: string;
      subagent?: string;
      subagentType?: string;
      dialogOpen: boolean;
      /** The way back, where no hook waits for the answer. */
      channel?: ChannelName;
      /** It may need no leave at all: it is a question only where a grant of a person's allows it at once. */
      isOnlyGranted?: true;
      /** What stands in its fields already. */
      prefill?: Answer[];
      /** What is known of it is not enough to answer it: only its own terminal can. */
      isOnlySeen?: boolean;
    }
  /** It has opened a dialog; its record says which. */
  | { type: "asks" }
  /** A person settled in the agent's own dialog what `asker`, a program behind one of its calls, wanted to know. */
  | { type: "decided"; asker: string; action: "accept" | "decline" | "cancel"; content?: unknown }
  /** `key` is empty where the agent does not name the call: then the questions, or `match`, say which one it was. */
  | { type: "result"; key: string; questions: Question[]; match?: string; received: Received }
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
