import { homedir } from "node:os";
import { join } from "node:path";
import type { HookSide } from "../capability/hook-side.ts";

type Json = Record<string, unknown>;
const SAFE_ID = /^[\w-]{1,100}$/;

/** Imports no more than it must: every call of the agent's hooks loads it. */
export const hookSide: HookSide = {
  // Its hooks run before its dialogs: one that waits hides them. Only hold mode wants that.
  heldEvents: [],
  isOwn: ({ sessionId }) => typeof sessionId === "string" && SAFE_ID.test(sessionId),
  completed(payload, env) {
    const home = env["COPILOT_HOME"] || join(env["HOME"] || homedir(), ".copilot");
    const { sessionId } = payload;
    const session = typeof sessionId === "string" ? sessionId : "";
    return { ...payload, transcriptPath: join(home, "session-state", session, "events.jsonl") };
  },
  isSafeOutput,
  isCalledBy: (env) => Boolean(env["COPILOT_CLI"]),
  hasDialog: () => false,
};

/** Contract: never throws; true only for leave for a call as it was asked, or for a refusal with a text. */
function isSafeOutput(payload: unknown, output: unknown): boolean {
  const [asked, said] = [payload as Json | null, output as Json | null];
  if (typeof asked !== "object" || typeof said !== "object" || !asked || !said) return false;
  if (asked["hookName"] === "permissionRequest") return hasOnly(said, "behavior") && said["behavior"] === "allow";
  const reason = said["permissionDecisionReason"];
  return (
    asked["toolName"] === "ask_user" &&
    hasOnly(said, "permissionDecision", "permissionDecisionReason") &&
    said["permissionDecision"] === "deny" &&
    typeof reason === "string" &&
    reason !== ""
  );
}

const hasOnly = (value: Json, ...keys: string[]) => Object.keys(value).every((key) => keys.includes(key));
