import type { HookReading, SessionFacts } from "../agent.ts";
import { HookPayload, QUESTION_TOOL, questionsOf } from "./payload.ts";
import { readResult } from "./received.ts";

export function readHook(raw: unknown): HookReading | undefined {
  const parsed = HookPayload.safeParse(raw);
  if (!parsed.success) return undefined;
  const payload = parsed.data;
  const session = sessionOf(payload);
  switch (payload.hook_event_name) {
    case "PreToolUse":
    case "PermissionRequest":
      return asked(payload, session);
    case "PostToolUse":
      return result(payload, session);
    case "Stop":
      return { type: "turn-ended", session };
    case "SessionStart":
      return { type: "session-started", session, resumed: payload.source === "resume" };
    case "SessionEnd":
      return { type: "session-ended", session, reason: payload.reason ?? "ended" };
    case "Notification":
      return { type: "noticed", session, message: payload.message ?? "" };
    default:
      return undefined;
  }
}

function asked(payload: HookPayload, session: SessionFacts): HookReading | undefined {
  const questions = payload.tool_name === QUESTION_TOOL ? questionsOf(payload.tool_input) : undefined;
  if (!questions) return undefined;
  return {
    type: "asked",
    session,
    kind: "question",
    questions,
    dialogOpen: payload.hook_event_name === "PermissionRequest",
    ...(payload.tool_use_id !== undefined && { key: payload.tool_use_id }),
    ...(payload.prompt_id !== undefined && { turn: payload.prompt_id }),
    ...(payload.agent_id !== undefined && { subagent: payload.agent_id }),
  };
}

function result(payload: HookPayload, session: SessionFacts): HookReading | undefined {
  const questions = payload.tool_name === QUESTION_TOOL ? questionsOf(payload.tool_input) : undefined;
  if (!questions || payload.tool_use_id === undefined) return undefined;
  const received = readResult(payload.tool_response, questions, "");
  return { type: "result", session, key: payload.tool_use_id, questions, received };
}

function sessionOf(payload: HookPayload): SessionFacts {
  return {
    id: payload.session_id,
    ...(payload.cwd !== undefined && { cwd: payload.cwd }),
    ...(payload.transcript_path !== undefined && { transcript: payload.transcript_path }),
    ...(payload.permission_mode !== undefined && { mode: payload.permission_mode }),
  };
}
