import type { Kind } from "../../../core/ask/ask.ts";
import type { ToolCall } from "../../../core/ask/tool-call.ts";
import type { Question } from "../../../core/ask/question.ts";
import { approvalChoices, type Choice } from "./approval.ts";
import { callIn, grantable } from "./grantable.ts";
import type { FileChange } from "../../../core/fact/file-change.ts";
import type { Editable } from "../../../core/ask/edit-schema.ts";
import { editableIn } from "./editable.ts";
import { fileChangeIn } from "./file-change.ts";
import { matchOf } from "./match.ts";
import type { HookPayload } from "../payload.ts";
import { PLAN_TOOL, planChoices, planIn } from "./plan.ts";
import { AUTO_MODE } from "./suggestion.ts";
import { describeTool } from "./tool-detail.ts";

/** A tool call that somebody has to allow, as a question with options. `modes`: those its session was in before. */
export function toolQuestion(
  tool: string,
  payload: HookPayload,
  modes: readonly string[] = [],
): {
  kind: Kind;
  questions: Question[];
  match: string;
  call?: ToolCall;
  about?: ToolCall;
  change?: FileChange;
  editable?: Editable;
} {
  const options = choicesFor(tool, payload, modes.includes(AUTO_MODE)).map(({ option }) => option);
  const match = matchOf(tool, payload.tool_input, payload.cwd);
  if (tool === PLAN_TOOL) {
    const plan = planIn(payload.tool_input);
    const question = { text: "Approve this plan?", header: "Plan", multiSelect: false, options };
    return { kind: "plan", match, questions: [plan === undefined ? question : { ...question, body: plan }] };
  }
  const [call, about] = [grantable(tool, payload.tool_input), callIn(tool, payload.tool_input)];
  const change = fileChangeIn(tool, payload.tool_input);
  const editable = editableIn(tool, payload.tool_input);
  return {
    kind: "approval",
    match,
    ...(call && { call }),
    ...(about && { about }),
    ...(change && { change }),
    ...(editable && { editable }),
    questions: [{ ...describeTool(tool, payload.tool_input, payload.cwd), header: tool, multiSelect: false, options }],
  };
}

/**
 * Contract: the same payload gives the same choices in the same order; a pick is an index into them. `hasAuto`: a hook can
 * switch to auto mode even where Claude Code itself would not (2.1.197, 2.1.325), so it is offered only to a session that
 * has been in it.
 */
export function choicesFor(tool: string, payload: HookPayload, hasAuto: boolean): readonly Choice[] {
  return tool === PLAN_TOOL ? planChoices(payload.tool_input, hasAuto) : approvalChoices(payload, hasAuto);
}
