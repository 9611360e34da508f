import type { HookSide } from "../capability/hook-side.ts";

/** Imports no more than it must: every call of the agent's hooks loads it. */
export const hookSide: HookSide = {
  heldEvents: ["PermissionRequest", "Elicitation"],
  // codex takes over hooks of Claude Code's, and its records are rollouts. Copilot runs those of a repository: it names its
  // sessions otherwise, or tells no record beside its mark, which a Claude Code that was started in it inherits.
  isOwn: ({ transcript_path: path, sessionId }, env) =>
    sessionId === undefined &&
    (typeof path === "string"
      ? !/\/(?:rollout-[^/]*|session-state\/[^/]+\/events)\.jsonl$/.test(path)
      : !env["COPILOT_CLI"]),
  isSafeOutput: async (...args) => (await import("./check-output.ts")).isSafeOutput(...args),
  prepare: () => import("./check-output.ts"),
  isCalledBy: (env, payload) =>
    payload["session_id"] !== undefined && env["CLAUDE_CODE_SESSION_ID"] === payload["session_id"],
  // A subagent in the background shows none before its hook has ended: seen in 2.1.325.
  // What a server asks for has its dialog after the hook.
  hasDialog: (payload) => payload["agent_id"] === undefined && payload["hook_event_name"] !== "Elicitation",
};
