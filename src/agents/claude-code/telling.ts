import { HookPayload } from "./payload.ts";

/** What stands beside a hook's event reaches the model at once. What its subagents do is not told to them. */
const BESIDE: Record<string, string> = { PostToolUse: "with an answer", UserPromptSubmit: "with its next prompt" };

/** A Stop hook that blocks makes it go on with the reason: seen in 2.1.197 and 2.1.325. */
export function telling(raw: unknown): { name: string; print(words: string): unknown } | undefined {
  const { hook_event_name: hookEventName, agent_id: subagent } = HookPayload.safeParse(raw).data ?? {};
  if (hookEventName === undefined || subagent !== undefined) return undefined;
  if (hookEventName === "Stop")
    return { name: "at the end of its turn", print: (reason) => ({ decision: "block", reason }) };
  const name = Object.hasOwn(BESIDE, hookEventName) ? BESIDE[hookEventName] : undefined;
  return name === undefined
    ? undefined
    : { name, print: (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } }) };
}
