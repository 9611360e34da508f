import type { Answer } from "../../core/answer.ts";
import type { Ask } from "../../core/ask.ts";
import { describeAnswers } from "../../core/answer.ts";
import { encodeChoice } from "../../core/compare.ts";
import type { Outcome } from "../../core/outcome.ts";
import { headerOf, type Question } from "../../core/question.ts";
import { answersToSend, refusalToSend } from "../../core/send.ts";
import { HookPayload } from "./payload.ts";

/** What a PermissionRequest or PreToolUse hook prints so that the tool returns this outcome. */
export function reply(raw: unknown, ask: Ask, outcome: Outcome, version: string | undefined): unknown {
  const payload = HookPayload.parse(raw);
  const held = payload.hook_event_name === "PreToolUse";
  if (outcome.type !== "answered") return held ? deny(outcome) : refuse(outcome);
  const answers = answersToSend(outcome);
  const style = quotesElements(version) ? "quoted" : "plain";
  // The whole input goes back: a rewrite without `questions` is an error to the model.
  const updatedInput = {
    ...payload.tool_input,
    answers: Object.fromEntries(
      ask.questions.map((q, i) => [q.text, encodeChoice(q, answers[i] ?? { picks: [] }, style)]),
    ),
    annotations: annotations(ask.questions, answers),
  };
  if (held) return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput } };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedInput } } };
}

/** Told with SessionStart when a killed session comes back: Claude Code itself has noted "declined" and does not ask again. */
export function handOver(asks: readonly Ask[]): unknown {
  const lines = asks.flatMap((ask) => ask.outcome && keptLine(ask, ask.outcome));
  const additionalContext = [
    "Parley kept answers for questions you asked before this session was interrupted. The record shows those questions as declined; they were not:",
    ...lines,
  ].join("\n");
  return { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } };
}

/** The id in brackets lets the receipt be found in the transcript. */
export const keptMark = (ask: Ask): string => `[parley ${ask.id}]`;

function keptLine(ask: Ask, outcome: Outcome): string {
  const asked = ask.questions.map((question) => `[${headerOf(question)}] ${question.text}`).join(" / ");
  const said =
    outcome.type === "answered"
      ? `answered: ${describeAnswers(ask.questions, answersToSend(outcome))}`
      : refusalToSend(outcome);
  return `- ${keptMark(ask)} ${asked} → ${said}`;
}

function refuse(outcome: Outcome): unknown {
  const decision = {
    behavior: "deny",
    message: refusalToSend(outcome),
    ...(outcome.type === "cancelled" && { interrupt: true }),
  };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

function deny(outcome: Outcome): unknown {
  const permissionDecisionReason = refusalToSend(outcome);
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason } };
}

function annotations(questions: readonly Question[], answers: readonly Answer[]): Record<string, object> {
  const entries = questions.flatMap((question, i) => {
    const answer = answers[i];
    const preview = question.options[answer?.picks[0] ?? -1]?.preview;
    const entry = { ...(preview !== undefined && { preview }), ...(answer?.note && { notes: answer.note }) };
    return Object.keys(entry).length > 0 ? [[question.text, entry] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Plain in 2.1.197, quoted in 2.1.325; versions between were not seen, newer ones are taken to quote. */
function quotesElements(version: string | undefined): boolean {
  const [major = 0, minor = 0, patch = 0] = (version ?? "2.1.325").split(".").map(Number);
  return major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch > 197)));
}
