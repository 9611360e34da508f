import { z } from "zod";

const text = z.string().optional().catch(undefined);
/** A name or a path. No file has a NUL in its name, and looking for one throws; what is longer is neither. */
const name = z
  .string()
  .max(4096)
  .regex(/^[^\0]*$/);
const maybe = name.optional().catch(undefined);

/** Hook payloads as Claude Code 2.1.197 and 2.1.325 send them; all but the event's name and the session may be missing. */
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
  tool_use_id: maybe,
  tool_input: z.looseObject({}).optional().catch(undefined),
  tool_response: z.unknown().optional(),
  source: maybe,
  reason: text,
  message: text,
  notification_type: maybe,
  last_assistant_message: text,
  mcp_server_name: maybe,
  mode: maybe,
  url: text,
  action: maybe,
  elicitation_id: maybe,
});
export type HookPayload = z.infer<typeof HookPayload>;
