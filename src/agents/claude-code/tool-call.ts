import type { Kind } from "../../core/ask/ask.ts";
import type { Question } from "../../core/ask/question.ts";
import { approvalChoices, type Choice } from "./approval.ts";
import { matchOf } from "./match.ts";
import type { HookPayload } from "./payload.ts";
import { PLAN_CHOICES, PLAN_TOOL, planIn } from "./plan.ts";
import { describeTool } from "./tool-detail.ts";

/** A tool call that somebody has to allow, as a question with options. */
export function toolQuestion(tool: string, payload: HookPayload): { kind: Kind; questions: Question[]; match: string } {
  const options = choicesFor(tool, payload).map(({ option }) => option);
  const match = matchOf(tool, payload.tool_input);
  if (tool === PLAN_TOOL) {
    const plan = planIn(payload.tool_input);
    const question = { text: "Approve this plan?", header: "Plan", multiSelect: false, options };
    return { kind: "plan", match, questions: [plan === undefined ? question : { ...question, body: plan }] };
  }
  return {
    kind: "approval",
    match,
    questions: [{ ...describeTool(tool, payload.tool_input), header: tool, multiSelect: false, options }],
  };
}

/** Contract: the same payload gives the same choices in the same order; a pick is an index into them. */
export function choicesFor(tool: string, payload: HookPayload): readonly Choice[] {
  return tool === PLAN_TOOL ? PLAN_CHOICES : approvalChoices(payload);
}
