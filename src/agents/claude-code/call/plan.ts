import { z } from "zod";
import { DENY, DENY_AND_STOP } from "../../../core/ask/answer/verdicts.ts";
import type { Choice } from "./approval.ts";
import { AUTO_MODE, IN_AUTO_MODE, sessionMode } from "./suggestion.ts";

export const PLAN_TOOL = "ExitPlanMode";
const PlanInput = z.looseObject({ plan: z.string().optional() });

/** The plan's text, where the agent sends it along. */
export function planIn(input: unknown): string | undefined {
  return PlanInput.safeParse(input).data?.plan;
}

/** Where the plan has a text, words for the agent go below it: the agent is told that the user edited its plan. */
export const withNote = (input: Record<string, unknown>, note: string): Record<string, unknown> =>
  typeof input["plan"] === "string" ? { ...input, plan: `${input["plan"]}${NOTE_BELOW}${note}` } : input;
const NOTE_BELOW = "\n\nNote from the user: ";

/** In the order a person sees them. `hasAuto`: the session can be in auto mode. */
export function planChoices(input: unknown, hasAuto: boolean): Choice[] {
  const isWritten = (planIn(input) ?? "") !== "";
  const note = isWritten ? { takesNote: true } : {};
  return [
    { option: { ...ASKING, ...note }, grants: sessionMode("default") },
    { option: { ...EDITING, ...note }, grants: sessionMode("acceptEdits") },
    // As in its own dialog: not for a plan without a text.
    ...(hasAuto && isWritten ? [{ option: { ...AUTO, ...note }, grants: sessionMode(AUTO_MODE) }] : []),
    { option: { ...DENY, description: "Keep planning; a note says what to change" } },
    { option: DENY_AND_STOP },
  ];
}

const ASKING: Choice["option"] = {
  label: "Approve, ask for edits",
  description: "Start; it asks before each edit, as usual",
  recommended: false,
  effect: "allow",
  target: "default",
};
const EDITING: Choice["option"] = {
  label: "Approve, and accept edits",
  description: "Start, and accept every file edit in this session without asking",
  recommended: false,
  effect: "allow",
  target: "acceptEdits",
  stakes: "high",
};
const AUTO: Choice["option"] = {
  label: "Approve, and use auto mode",
  description: `Start, and ${IN_AUTO_MODE} in this session`,
  recommended: false,
  effect: "allow",
  target: AUTO_MODE,
  stakes: "high",
};
