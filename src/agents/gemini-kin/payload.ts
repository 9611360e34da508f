import { z } from "zod";

const text = z.string().optional().catch(undefined);
/** A name or a path. No file has a NUL in its name, and looking for one throws; what is longer is neither. */
const name = z
  .string()
  .max(4096)
  .regex(/^[^\0]*$/);
const maybe = name.optional().catch(undefined);

/** Hook payloads of Gemini CLI 0.61.0 and Qwen Code 0.24.4; all but the event's name and the session may be missing. */
export const HookPayload = z.looseObject({
  hook_event_name: name,
  session_id: name,
  transcript_path: maybe,
  cwd: maybe,
  prompt_id: maybe,
  permission_mode: maybe,
  agent_id: maybe,
  agent_type: maybe,
  tool_name: maybe,
  tool_call_id: maybe,
  tool_input: z.looseObject({}).optional().catch(undefined),
  tool_response: z.unknown().optional(),
  details: z.looseObject({}).optional().catch(undefined),
  source: maybe,
  reason: text,
  message: text,
  notification_type: maybe,
  prompt_response: text,
  last_assistant_message: text,
});
export type HookPayload = z.infer<typeof HookPayload>;

export const sessionOf = (payload: HookPayload) => ({
  id: payload.session_id,
  ...(payload.cwd !== undefined && { cwd: payload.cwd }),
  ...(payload.transcript_path !== undefined && { transcript: payload.transcript_path }),
  ...(payload.permission_mode !== undefined && { mode: payload.permission_mode }),
});
