import type { AgentHooks } from "../../agent.ts";
import { ranText } from "./editable.ts";
import { HookPayload } from "../payload.ts";
import { tellRan } from "../reply.ts";

/** PostToolUse and PostToolUseFailure carry the input as it was used: seen in 2.1.197 and 2.1.325. */
export const ran: NonNullable<AgentHooks["ran"]> = (raw) => {
  const payload = HookPayload.safeParse(raw).data;
  const { tool_name: tool = "", tool_use_id: key, hook_event_name: event = "" } = payload ?? {};
  const text = ranText(tool, payload?.tool_input);
  if (!payload || key === undefined || text === undefined) return undefined;
  return { session: payload.session_id, key, text, tell: (words) => tellRan(event, words) };
};
