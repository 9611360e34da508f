type Json = Record<string, unknown>;

/**
 * The last look before a hook prints: a wrong rewrite is an error to the model, not a dialog.
 * Contract: true only for a refusal with a text, for an added context, or for an answer that echoes the questions as
 * asked and answers every one with a string. Imports nothing: hooks load it.
 */
export function isSafeOutput(payload: unknown, output: unknown): boolean {
  const specific = isObject(output) ? output["hookSpecificOutput"] : undefined;
  if (!isObject(specific) || !isObject(payload)) return false;
  if (specific["hookEventName"] !== payload["hook_event_name"]) return false;
  if (typeof specific["additionalContext"] === "string") return true;
  const decision = isObject(specific["decision"]) ? specific["decision"] : specific;
  const verdict = decision["behavior"] ?? decision["permissionDecision"];
  if (verdict === "deny") return isText(decision["message"] ?? decision["permissionDecisionReason"]);
  return verdict === "allow" && answersAll(payload["tool_input"], decision["updatedInput"]);
}

function answersAll(asked: unknown, updated: unknown): boolean {
  if (!isObject(asked) || !isObject(updated)) return false;
  const { questions } = asked;
  const { answers } = updated;
  if (!Array.isArray(questions) || questions.length === 0 || !isObject(answers)) return false;
  if (JSON.stringify(questions) !== JSON.stringify(updated["questions"])) return false;
  return questions.every((question: unknown) => isObject(question) && isText(answers[String(question["question"])]));
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
