type Json = Record<string, unknown>;

/**
 * The last look before a hook prints: a wrong rewrite is an error to the model, not a dialog.
 * Contract: never throws; true only for a refusal with a text, for a request to ask, for a context at the start of a session, beside a
 * prompt or a result, for words with which a turn goes on, or for an answer that echoes the whole input as asked, answers every question with a string and grants nothing else; for another tool,
 * the input as it came (a plan may have a note below) with at most one grant that was suggested or is a mode that its
 * dialog offers, `changed` being what the person made of the one part that may be changed; for a server's form, values of its
 * fields. Imports nothing: hooks load it.
 */
export function isSafeOutput(payload: unknown, output: unknown, changed?: string): boolean {
  try {
    if (!isObject(payload) || !isObject(output)) return false;
    if (payload["hook_event_name"] === "Stop")
      return hasOnly(output, "decision", "reason") && output["decision"] === "block" && isText(output["reason"]);
    if (!hasOnly(output, "hookSpecificOutput")) return false;
    const specific = output["hookSpecificOutput"];
    if (!isObject(specific) || specific["hookEventName"] !== payload["hook_event_name"]) return false;
    switch (specific["hookEventName"]) {
      case "SessionStart":
      case "UserPromptSubmit":
      case "PostToolUse":
      case "PostToolUseFailure":
        return hasOnly(specific, "hookEventName", "additionalContext") && isText(specific["additionalContext"]);
      case "PermissionRequest":
        return hasOnly(specific, "hookEventName", "decision") && isSafeDecision(payload, specific["decision"], changed);
      case "Elicitation":
        return isSafeElicitation(payload, specific);
      case "PreToolUse":
        return isSafePermission(payload, specific);
      default:
        return false;
    }
  } catch {
    return false;
  }
}

function isSafeDecision(payload: Json, decision: unknown, changed: string | undefined): boolean {
  if (!isObject(decision)) return false;
  if (decision["behavior"] === "deny")
    return hasOnly(decision, "behavior", "message", "interrupt") && isText(decision["message"]);
  if (decision["behavior"] !== "allow") return false;
  if (payload["tool_name"] !== "AskUserQuestion") return allowsAsAsked(payload, decision, changed);
  return hasOnly(decision, "behavior", "updatedInput") && answersAll(payload, decision["updatedInput"]);
}

/** Contract: what runs is what was shown, and no more is granted than one thing the person picked. */
function allowsAsAsked(payload: Json, decision: Json, changed: string | undefined): boolean {
  if (!hasOnly(decision, "behavior", "updatedInput", "updatedPermissions")) return false;
  if (changed === undefined && !isAsAsked(payload, decision["updatedInput"])) return false;
  if (changed !== undefined && !isChanged(payload, decision, changed)) return false;
  const { updatedPermissions: grants = [] } = decision;
  if (!Array.isArray(grants) || grants.length > 1) return false;
  const suggested = Array.isArray(payload["permission_suggestions"]) ? payload["permission_suggestions"] : [];
  const isSuggested = (grant: unknown) => suggested.some((item) => JSON.stringify(item) === JSON.stringify(grant));
  const isMode = (grant: unknown) =>
    isObject(grant) &&
    grant["type"] === "setMode" &&
    grant["destination"] === "session" &&
    MODES.some(([tool, modes]) => tool === payload["tool_name"] && modes.some((mode) => mode === grant["mode"]));
  return grants.every((grant) => isSuggested(grant) || isMode(grant));
}

/** What can be granted without having been suggested. */
const MODES: readonly (readonly [tool: string, modes: readonly string[]])[] = [
  ["ExitPlanMode", ["default", "acceptEdits", "auto"]],
  ["Bash", ["auto"]],
];

/** The one part of a tool's input that a person may change. */
export const EDITED_FIELDS: Record<string, string> = {
  Bash: "command",
  Write: "content",
  Edit: "new_string",
  NotebookEdit: "new_source",
};

/** Contract: all else is as it was asked, and nothing is granted with it. */
function isChanged({ tool_name, tool_input: asked }: Json, decision: Json, changed: string): boolean {
  const isEdited = typeof tool_name === "string" && Object.hasOwn(EDITED_FIELDS, tool_name);
  const field = isEdited ? EDITED_FIELDS[tool_name] : undefined;
  const updated = decision["updatedInput"];
  if (field === undefined || !isObject(asked) || !isObject(updated) || "updatedPermissions" in decision) return false;
  return JSON.stringify(updated) === JSON.stringify({ ...asked, [field]: changed });
}

/** Below a plan may stand what the person said to it. */
function isAsAsked({ tool_name, tool_input: asked = {} }: Json, updated: unknown): boolean {
  if (JSON.stringify(updated) === JSON.stringify(asked)) return true;
  if (tool_name !== "ExitPlanMode" || !isObject(asked) || !isObject(updated)) return false;
  const { plan, ...others } = asked;
  const { plan: sent, ...rest } = updated;
  const isNoted =
    isText(plan) && typeof sent === "string" && sent.startsWith(`${String(plan)}\n\nNote from the user: `);
  return isNoted && JSON.stringify(rest) === JSON.stringify(others);
}

function isSafePermission(payload: Json, specific: Json): boolean {
  if (specific["permissionDecision"] === "deny")
    return (
      hasOnly(specific, "hookEventName", "permissionDecision", "permissionDecisionReason") &&
      isText(specific["permissionDecisionReason"])
    );
  if (specific["permissionDecision"] === "ask")
    return (
      hasOnly(specific, "hookEventName", "permissionDecision", "permissionDecisionReason") &&
      isText(specific["permissionDecisionReason"])
    );
  // Puts the call off: the run ends without it.
  if (specific["permissionDecision"] === "defer") return hasOnly(specific, "hookEventName", "permissionDecision");
  if (specific["permissionDecision"] !== "allow") return false;
  return (
    hasOnly(specific, "hookEventName", "permissionDecision", "updatedInput") &&
    answersAll(payload, specific["updatedInput"])
  );
}

/** A value that its schema does not allow fails the server: each is looked at once more. */
function isSafeElicitation({ mode, requested_schema: schema }: Json, specific: Json): boolean {
  const { action, content } = specific;
  if (action === "decline" || action === "cancel") return hasOnly(specific, "hookEventName", "action");
  if (action !== "accept" || !hasOnly(specific, "hookEventName", "action", "content")) return false;
  if (mode === "url") return content === undefined;
  if (!isObject(schema) || !isObject(content) || !isObject(schema["properties"])) return false;
  const { properties, required = [] } = schema;
  const isGiven = (name: unknown) => Object.hasOwn(content, String(name));
  if (!Array.isArray(required) || !required.every(isGiven)) return false;
  return Object.keys(content).every(
    (name) => Object.hasOwn(properties, name) && isValue(properties[name], content[name]),
  );
}

function isValue(field: unknown, value: unknown): boolean {
  if (!isObject(field)) return false;
  const { type, items } = field;
  if (type === "array")
    return Array.isArray(value) && value.every((each) => isValue({ type: "string", ...(items as Json) }, each));
  if (type === "integer") return Number.isSafeInteger(value);
  const offered =
    field["enum"] ?? ((field["oneOf"] ?? field["anyOf"]) as Json[] | undefined)?.map((each) => each["const"]);
  return typeof value === type && (!Array.isArray(offered) || offered.includes(value));
}

function answersAll({ tool_name, tool_input: asked }: Json, updated: unknown): boolean {
  if (tool_name !== "AskUserQuestion" || !isObject(asked) || !isObject(updated)) return false;
  const { questions } = asked;
  const { answers, annotations = {} } = updated;
  if (!Array.isArray(questions) || questions.length === 0 || !isObject(answers) || !isObject(annotations)) return false;
  if (!hasOnly(updated, "answers", "annotations", ...Object.keys(asked))) return false;
  const isEcho = (key: string) => JSON.stringify(asked[key]) === JSON.stringify(updated[key]);
  const inputs = Object.keys(asked).filter((key) => key !== "answers" && key !== "annotations");
  if (!inputs.every(isEcho)) return false;
  const texts = questions.map((question: unknown) => (isObject(question) ? question["question"] : undefined));
  if (!texts.every((text) => typeof text === "string" && isText(answers[text]))) return false;
  return Object.keys(answers).every((text) => texts.includes(text));
}

const hasOnly = (value: Json, ...keys: string[]) => Object.keys(value).every((key) => keys.includes(key));
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
