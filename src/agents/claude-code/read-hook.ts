import type { HookReading, SessionFacts } from "../capability/reading.ts";
import { matchOf } from "./call/match.ts";
import { HookPayload } from "./payload.ts";
import { QUESTION_TOOL, questionsOf } from "./question-input.ts";
import { ACTIONS, askerIn, elicitationIn } from "./call/elicitation.ts";
import { readResult } from "./received.ts";
import { toolQuestion } from "./call/tool-call.ts";

type Asked = HookReading & { type: "asked" };

/** `modes`: the permission modes in which its session is known to have been. */
export function readHook(raw: unknown, modes: readonly string[] = []): HookReading | undefined {
  const parsed = HookPayload.safeParse(raw);
  if (!parsed.success) return undefined;
  const payload = parsed.data;
  const session = sessionOf(payload);
  switch (payload.hook_event_name) {
    case "PreToolUse":
    case "PermissionRequest":
      return asked(payload, session, modes);
    case "Elicitation": {
      const what = elicitationIn(payload);
      return what && { type: "asked", session, ...what, dialogOpen: false, ...within(payload) };
    }
    case "ElicitationResult": {
      const action = ACTIONS.find((known) => known === payload.action);
      return action && { type: "decided", session, asker: askerIn(payload), action, content: payload["content"] };
    }
    case "PostToolUse":
    case "PostToolUseFailure":
      return result(payload, session);
    case "Stop":
      return {
        type: "turn-ended",
        session,
        ...(payload.last_assistant_message && { said: payload.last_assistant_message }),
      };
    case "UserPromptSubmit":
      return { type: "prompted", session };
    case "SessionStart":
      return {
        type: "session-started",
        session,
        resumed: payload.source === "resume",
        // Another one, `compact`, is in the middle of a session.
        began: payload.source === "startup" || payload.source === "clear",
      };
    case "SessionEnd":
      return { type: "session-ended", session, reason: payload.reason ?? "ended" };
    case "Notification":
      return { type: "noticed", session, message: payload.message ?? "", ...needs(payload.notification_type) };
    default:
      return undefined;
  }
}

function asked(payload: HookPayload, session: SessionFacts, modes: readonly string[]): HookReading | undefined {
  const what = askedIn(payload, modes);
  if (!what) return undefined;
  return {
    type: "asked",
    session,
    ...what,
    dialogOpen: payload.hook_event_name === "PermissionRequest",
    ...(payload.tool_use_id !== undefined && { key: payload.tool_use_id }),
    ...within(payload),
  };
}

const within = ({ prompt_id: turn, agent_id: subagent, agent_type: subagentType }: HookPayload) => ({
  ...(turn !== undefined && { turn }),
  ...(subagent !== undefined && { subagent }),
  ...(subagentType !== undefined && { subagentType }),
});

/** A question of the model, or a tool call that somebody has to allow. */
function askedIn(
  payload: HookPayload,
  modes: readonly string[],
): Pick<Asked, "kind" | "questions" | "match" | "call" | "about" | "change" | "editable"> | undefined {
  const { tool_name: tool } = payload;
  if (tool === undefined) return undefined;
  if (tool !== QUESTION_TOOL) return toolQuestion(tool, payload, modes);
  const questions = questionsOf(payload.tool_input);
  return questions && { kind: "question", questions };
}

function result(payload: HookPayload, session: SessionFacts): HookReading | undefined {
  const { tool_name: tool, tool_use_id: key } = payload;
  if (key === undefined) return undefined;
  const isError = payload.hook_event_name === "PostToolUseFailure";
  if (tool !== QUESTION_TOOL)
    return {
      type: "result",
      session,
      key,
      questions: [],
      ...(tool !== undefined && { match: matchOf(tool, payload.tool_input) }),
      received: { type: "ran", text: "", isError },
    };
  const questions = questionsOf(payload.tool_input);
  const received = questions && readResult(payload.tool_response, questions, "");
  return received && { type: "result", session, key, questions, received };
}

/** Also what says that something is over: it asks for nothing. */
const TOLD = new Set(["permission_prompt", "elicitation_response", "elicitation_complete", "auth_success"]);

/** `permission_prompt` is a question that has a hook of its own; the others are known by their notice alone. */
function needs(notice: string | undefined): { needs?: "idle" | "elicitation" } {
  if (notice === undefined || TOLD.has(notice)) return {};
  return { needs: notice === "idle_prompt" ? "idle" : "elicitation" };
}

function sessionOf(payload: HookPayload): SessionFacts {
  return {
    id: payload.session_id,
    ...(payload.cwd !== undefined && { cwd: payload.cwd }),
    ...(payload.transcript_path !== undefined && { transcript: payload.transcript_path }),
    ...(payload.permission_mode !== undefined && { mode: payload.permission_mode }),
  };
}
