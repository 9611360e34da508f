import type { HookReading } from "../capability/reading.ts";
import { callQuestion } from "../gemini-kin/call-question.ts";
import { HookPayload, sessionOf } from "../gemini-kin/payload.ts";
import { askingIn, OPTIONS } from "./approval.ts";
import { readAnswers, QUESTION_TOOL } from "./received.ts";
import { callMatch } from "./chat-file.ts";
import { shownQuestions } from "./shown-questions.ts";

/**
 * A question is known before its dialog (BeforeTool), a call that waits for leave when its dialog opens (Notification):
 * before that nobody knows whether it needs any.
 */
export function readHook(raw: unknown): HookReading | undefined {
  const parsed = HookPayload.safeParse(raw);
  if (!parsed.success) return undefined;
  const payload = parsed.data;
  const session = sessionOf(payload);
  switch (payload.hook_event_name) {
    case "BeforeTool": {
      const questions = payload.tool_name === QUESTION_TOOL ? shownQuestions(payload.tool_input) : undefined;
      return questions && { type: "asked", session, kind: "question", questions, dialogOpen: false };
    }
    case "AfterTool":
      return result(payload);
    case "Notification": {
      const asking =
        payload.notification_type === "ToolPermission" ? askingIn(payload.details, payload.cwd) : undefined;
      if (!asking) return { type: "noticed", session, message: payload.message ?? "" };
      const isShown = asking.type !== "other";
      const what = callQuestion(asking, OPTIONS);
      return {
        type: "asked",
        session,
        kind: "approval",
        ...what,
        dialogOpen: true,
        ...(!isShown && { isOnlySeen: true }),
      };
    }
    case "AfterAgent":
      return { type: "turn-ended", session, ...(payload.prompt_response && { said: payload.prompt_response }) };
    case "SessionStart": {
      const { source } = payload;
      return {
        type: "session-started",
        session,
        resumed: source === "resume",
        began: source === "startup" || source === "clear",
      };
    }
    case "SessionEnd":
      return { type: "session-ended", session, reason: payload.reason ?? "ended" };
    default:
      return undefined;
  }
}

/** It does not say which call this was: the questions, or the call itself, must do. */
function result(payload: HookPayload): HookReading | undefined {
  const { tool_name: tool = "", tool_input: input, tool_response: response } = payload;
  const session = sessionOf(payload);
  if (tool !== QUESTION_TOOL) {
    const match = callMatch(tool, input);
    const received = { type: "ran", text: "", isError: false } as const;
    return match === undefined ? undefined : { type: "result", session, key: "", questions: [], match, received };
  }
  const questions = shownQuestions(input);
  const text = (response as { llmContent?: unknown } | undefined)?.llmContent;
  if (!questions || typeof text !== "string") return undefined;
  return { type: "result", session, key: "", questions, received: readAnswers(text, questions) };
}
