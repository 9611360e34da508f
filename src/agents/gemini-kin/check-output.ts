type Json = Record<string, unknown>;

/**
 * The last look before a hook prints. Contract: never throws; true only for a question that is denied with a text, and for
 * a context at the start of a session: nothing here can allow a call or change one. Imports nothing: hooks load it.
 */
export function isSafeDenial(payload: unknown, output: unknown, event: string, tool: string): boolean {
  try {
    if (!isObject(payload) || !isObject(output)) return false;
    if (isContext(payload, output)) return true;
    if (payload["hook_event_name"] !== event || payload["tool_name"] !== tool) return false;
    return hasOnly(output, "decision", "reason") && output["decision"] === "deny" && isText(output["reason"]);
  } catch {
    return false;
  }
}

/** Contract: as above. */
export function isContext(payload: Json, output: Json): boolean {
  const specific = output["hookSpecificOutput"];
  if (payload["hook_event_name"] !== "SessionStart" || !hasOnly(output, "hookSpecificOutput")) return false;
  return (
    isObject(specific) &&
    specific["hookEventName"] === "SessionStart" &&
    hasOnly(specific, "hookEventName", "additionalContext") &&
    isText(specific["additionalContext"])
  );
}

export const hasOnly = (value: Json, ...keys: string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));
export const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
