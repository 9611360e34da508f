import { isSafeDenial } from "../gemini-kin/check-output.ts";
import type { HookSide } from "../capability/hook-side.ts";

/** Imports no more than it must: every call of the agent's hooks loads it. */
export const hookSide: HookSide = {
  // It opens its dialog when its hooks have ended: none waits, unless a person chose hold mode.
  heldEvents: [],
  isOwn: ({ hook_event_name: event }) => typeof event === "string",
  isSafeOutput: (payload, output) => isSafeDenial(payload, output, "BeforeTool", "ask_user"),
  isCalledBy: (env, payload) =>
    payload["session_id"] !== undefined && env["GEMINI_SESSION_ID"] === payload["session_id"],
  hasDialog: () => false,
};
