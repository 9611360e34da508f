import type { HookReading } from "../capability/reading.ts";
import { approvalQuestion, callOf, matchOf } from "./approval.ts";
import { HookPayload, QUESTION_TOOL, questionsOf } from "./payload.ts";

/** Its dialogs, as it notices them: what they ask stands in its record. */
const DIALOGS = new Set(["elicitation_dialog", "permission_prompt"]);

/** Its payloads do not name their event: each is known by what only it has. */
export function readHook(raw: unknown): HookReading | undefined {
  const payload = HookPayload.safeParse(raw).data;
  if (!payload) return undefined;
  const { sessionId: id, cwd, transcriptPath: transcript } = payload;
  const session = { id, ...(cwd !== undefined && { cwd }), ...(transcript !== undefined && { transcript }) };
  if (payload.hookName === "permissionRequest") return leave(payload, session);
  if (payload.notification_type !== undefined)
    return DIALOGS.has(payload.notification_type)
      ? { type: "asks", session }
      : { type: "noticed", session, message: payload.message ?? "" };
  if (payload.toolName === QUESTION_TOOL) return held(payload, session);
  if (payload.toolName !== undefined) return undefined;
  if (payload.source !== undefined)
    return {
      type: "session-started",
      session,
      resumed: payload.source === "resume",
      began: payload.source === "new" || payload.source === "startup",
    };
  if (payload.stopReason !== undefined) return { type: "turn-ended", session };
  return payload.reason === undefined ? undefined : { type: "session-ended", session, reason: payload.reason };
}

type Session = HookReading["session"];

/** Also for calls that need no leave, and before any dialog: only what a person has granted is said here. */
function leave({ toolName = "", toolInput }: HookPayload, session: Session): HookReading | undefined {
  const call = callOf(toolName, toolInput);
  const match = matchOf(call);
  if (!call || match === undefined || call.type !== "command") return undefined;
  const questions = [approvalQuestion({ kind: "shell", intention: "", call, about: call.command })];
  const asked = { type: "asked", kind: "approval", session, questions, match, call } as const;
  return { ...asked, dialogOpen: true, isOnlyGranted: true };
}

function held({ toolArgs }: HookPayload, session: Session): HookReading | undefined {
  const questions = questionsOf(typeof toolArgs === "string" ? parsed(toolArgs) : toolArgs);
  return questions && { type: "asked", kind: "question", session, questions, dialogOpen: false };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
