import { callQuestion, matchOf } from "../gemini-kin/call-question.ts";
import { HookPayload, sessionOf } from "../gemini-kin/payload.ts";
import { questionsOf } from "../gemini-kin/questions.ts";
import type { HookReading } from "../capability/reading.ts";
import { askingOf, optionsFor } from "./approval.ts";
import { QUESTION_TOOL, readTold } from "./received.ts";

/** `isHeld`: the hook waits for what it prints, before the dialog. */
export function readHook(raw: unknown, _modes: readonly string[] = [], isHeld = false): HookReading | undefined {
  const parsed = HookPayload.safeParse(raw);
  if (!parsed.success) return undefined;
  const payload = parsed.data;
  const session = sessionOf(payload);
  switch (payload.hook_event_name) {
    case "PermissionRequest":
      return asked(payload, isHeld);
    case "PostToolUse":
      return result(payload);
    case "Stop":
      return {
        type: "turn-ended",
        session,
        ...(payload.last_assistant_message && { said: payload.last_assistant_message }),
      };
    case "SessionStart": {
      const { source } = payload;
      const began = source === "startup" || source === "clear";
      return { type: "session-started", session, resumed: source === "resume", began };
    }
    case "SessionEnd":
      return { type: "session-ended", session, reason: payload.reason ?? "ended" };
    case "Notification": {
      const needs = payload.notification_type === "idle_prompt" ? { needs: "idle" as const } : {};
      return { type: "noticed", session, message: payload.message ?? "", ...needs };
    }
    default:
      return undefined;
  }
}

function asked(payload: HookPayload, isHeld: boolean): HookReading | undefined {
  const { tool_name: tool, tool_input: input, prompt_id: turn, agent_id: subagent, agent_type: type } = payload;
  if (tool === undefined) return undefined;
  const about = {
    type: "asked" as const,
    session: sessionOf(payload),
    ...(turn !== undefined && { turn }),
    ...(subagent !== undefined && subagent !== "" && { subagent }),
    ...(type !== undefined && type !== "" && { subagentType: type }),
  };
  if (tool === QUESTION_TOOL) {
    const questions = questionsOf(input);
    return questions && { ...about, kind: "question", questions, dialogOpen: false };
  }
  const asking = askingOf(tool, input, payload.cwd);
  const isOnlySeen = asking.type === "other" && !isHeld;
  // It comes only where a dialog would: whoever waits here is as good as beside it.
  return {
    ...about,
    kind: "approval",
    ...callQuestion(asking, optionsFor(asking, isHeld)),
    dialogOpen: true,
    ...(isOnlySeen && { isOnlySeen }),
  };
}

/** Which call this was nobody knows before: the questions, or the call itself, must do. */
function result(payload: HookPayload): HookReading | undefined {
  const { tool_name: tool, tool_input: input, tool_call_id: key = "" } = payload;
  const session = sessionOf(payload);
  if (tool === undefined) return undefined;
  const received = { type: "ran", text: "", isError: false } as const;
  if (tool !== QUESTION_TOOL)
    return { type: "result", session, key, questions: [], match: matchOf(askingOf(tool, input)), received };
  const questions = questionsOf(input);
  const text = (payload.tool_response as { llmContent?: unknown } | null | undefined)?.llmContent;
  const answers = questions && typeof text === "string" ? readTold(text, questions) : undefined;
  return questions && answers && { type: "result", session, key, questions, received: answers };
}
