import { hasOnly, isContext, isObject, isText } from "../gemini-kin/check-output.ts";
import type { HookSide } from "../capability/hook-side.ts";

/** Imports no more than it must: every call of the agent's hooks loads it. */
export const hookSide: HookSide = {
  // It opens its dialog when its hooks have ended: none waits, unless a person chose hold mode.
  heldEvents: [],
  isOwn: ({ hook_event_name: event }) => typeof event === "string",
  isSafeOutput,
  isCalledBy: (env, payload) =>
    payload["session_id"] !== undefined && env["QWEN_CODE_SESSION_ID"] === payload["session_id"],
  hasDialog: () => false,
};

/** Contract: never throws; a denial with a text, leave for a call as it is (never for a question), or a context. */
function isSafeOutput(payload: unknown, output: unknown): boolean {
  try {
    if (!isObject(payload) || !isObject(output)) return false;
    if (isContext(payload, output)) return true;
    const specific = output["hookSpecificOutput"];
    if (payload["hook_event_name"] !== "PermissionRequest" || !hasOnly(output, "hookSpecificOutput")) return false;
    if (!isObject(specific) || specific["hookEventName"] !== "PermissionRequest") return false;
    const decision = specific["decision"];
    if (!hasOnly(specific, "hookEventName", "decision") || !isObject(decision)) return false;
    if (decision["behavior"] === "deny") return hasOnly(decision, "behavior", "message") && isText(decision["message"]);
    return (
      decision["behavior"] === "allow" && hasOnly(decision, "behavior") && payload["tool_name"] !== "ask_user_question"
    );
  } catch {
    return false;
  }
}
