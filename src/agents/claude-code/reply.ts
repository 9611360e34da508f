import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { encodeChoice } from "../../core/receipt/compare.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { answersToSend, decisionToSend, refusalToSend } from "../../core/receipt/send.ts";
import { withChange } from "./call/editable.ts";
import { HookPayload } from "./payload.ts";
import { elicitationReply } from "./call/elicitation.ts";
import { withNote } from "./call/plan.ts";
import { choicesFor } from "./call/tool-call.ts";

/** What a PermissionRequest or PreToolUse hook prints so that the tool returns this outcome. */
export function reply(raw: unknown, ask: Ask, outcome: Outcome, version: string | undefined): unknown {
  const payload = HookPayload.parse(raw);
  if (ask.kind === "approval" || ask.kind === "plan") return decide(payload, ask, outcome);
  if (ask.kind === "elicitation") return elicitationReply(ask, outcome);
  const held = payload.hook_event_name === "PreToolUse";
  if (outcome.type !== "answered") return held ? deny(outcome) : refuse(outcome);
  const style = quotesElements(version) ? "quoted" : "plain";
  const said = answersToSend(outcome);
  const entries = ask.questions.map((question, i) => encode(question, said[i] ?? { picks: [] }, style));
  const annotated = entries.filter(({ annotation }) => Object.keys(annotation).length > 0);
  // The whole input goes back: a rewrite without `questions` is an error to the model.
  const updatedInput = {
    ...payload.tool_input,
    answers: Object.fromEntries(entries.map(({ text, value }) => [text, value])),
    annotations: Object.fromEntries(annotated.map(({ text, annotation }) => [text, annotation])),
  };
  if (held) return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput } };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedInput } } };
}

/** 2.1.325 ignores an allowed plan without its input; sent back unchanged it fits every tool and version. */
function decide(payload: HookPayload, ask: Ask, outcome: Outcome): unknown {
  const sent = decisionToSend(ask, outcome);
  const grants = sent.allow ? grantsFor(payload, ask, sent.pick) : undefined;
  const input = payload.tool_input ?? {};
  const changed = sent.allow ? outcome.changed : undefined;
  const asSent = changed ? withChange(payload.tool_name ?? "", input, changed.text) : input;
  const updatedInput = sent.allow && sent.note !== undefined ? withNote(input, sent.note) : asSent;
  const decision = sent.allow
    ? { behavior: "allow", updatedInput, ...(grants && { updatedPermissions: grants }) }
    : { behavior: "deny", message: sent.message, ...(sent.interrupt && { interrupt: true }) };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

/** By what the Ask says it allows: the hook that waits may suggest other things, or the same in another order. */
function grantsFor(payload: HookPayload, { questions }: Ask, pick: number): unknown[] | undefined {
  const target = questions[0]?.options[pick]?.target;
  const choices = choicesFor(payload.tool_name ?? "", payload, target !== undefined);
  const choice = target === undefined ? choices[pick] : choices.find(({ option }) => option.target === target);
  return choice?.grants;
}

/** Makes Claude Code ask in bypass and auto mode too, and where a rule of its own allows it: seen in 2.1.197 and 2.1.325. */
export const askFirst = (permissionDecisionReason: string): unknown => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason },
});

/** Told behind the result of a call that was changed: its record holds it too. */
export const tellRan = (event: string, additionalContext: string): unknown => ({
  hookSpecificOutput: { hookEventName: event, additionalContext },
});

/** An interrupt stops the agent at once, but its record then holds Esc's own words: a message would be lost. */
function refuse(outcome: Outcome): unknown {
  const interrupt = outcome.type === "cancelled" && outcome.message === undefined;
  const decision = { behavior: "deny", message: refusalToSend(outcome), ...(interrupt && { interrupt }) };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

function deny(outcome: Outcome): unknown {
  const permissionDecisionReason = refusalToSend(outcome);
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason } };
}

/** As the dialog itself writes it. For a multi-select only 2.1.197 adds a preview, when exactly that option is picked. */
function encode(question: Question, answer: Answer, style: "quoted" | "plain") {
  const value = encodeChoice(question, answer, style);
  const hasPreview = !question.multiSelect || style === "plain";
  const preview = hasPreview ? question.options.find(({ label }) => label === value)?.preview : undefined;
  const annotation = { ...(preview && { preview }), ...(answer.note && { notes: answer.note }) };
  return { text: question.text, value, annotation };
}

/** Plain in 2.1.197, quoted in 2.1.325; versions between were not seen, newer ones are taken to quote. */
function quotesElements(version: string | undefined): boolean {
  const [major = 0, minor = 0, patch = 0] = (version ?? "2.1.325").split(".").map((part) => Number.parseInt(part, 10));
  return major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch > 197)));
}
