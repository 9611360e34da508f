import type { Tally } from "./scene.ts";

export const QUESTION = "Which way shall we go?";
/** What an agent takes: the answer given through Parley, or the one given in its own dialog. */
export const OURS = { by: "hook", label: "Option B" } as const;
export const THEIRS = { by: "terminal", label: "Option C" } as const;
/** One question, and nothing wrong with it. */
export const CLEAN: Omit<Tally, "kills" | "answers"> = { asks: 1, unseen: [], lost: [], doubled: [], untrue: [] };

const hook = (event: string) => (request: string) =>
  request.startsWith("POST /hook/call ") && request.includes(`"hook_event_name":"${event}"`);
/** The messages that carry a question through its life, in this order. */
export const MESSAGES = {
  PreToolUse: hook("PreToolUse"),
  PermissionRequest: hook("PermissionRequest"),
  settle: (request: string) => /^POST \/api\/asks\/\w+\/settle /.test(request),
  ack: (request: string) => request.startsWith("POST /hook/ack "),
  PostToolUse: hook("PostToolUse"),
  Stop: hook("Stop"),
};
