import { z } from "zod";
import { DENY, DENY_AND_STOP } from "../../core/ask/verdicts.ts";
import type { Choice } from "./approval.ts";

export const PLAN_TOOL = "ExitPlanMode";
const PlanInput = z.looseObject({ plan: z.string().optional() });

/** The plan's text, where the agent sends it along. */
export function planIn(input: unknown): string | undefined {
  return PlanInput.safeParse(input).data?.plan;
}

const mode = (name: string) => [{ type: "setMode", mode: name, destination: "session" }];

export const PLAN_CHOICES: readonly Choice[] = [
  {
    option: {
      label: "Approve, ask for edits",
      description: "Begin; each edit is asked for as usual",
      recommended: false,
      effect: "allow",
      target: "default",
    },
    grants: mode("default"),
  },
  {
    option: {
      label: "Approve, and accept edits",
      description: "Begin, and accept every file edit without asking in this session",
      recommended: false,
      effect: "allow",
      target: "acceptEdits",
      stakes: "high",
    },
    grants: mode("acceptEdits"),
  },
  { option: { ...DENY, description: "Keep planning; a note says what to change" } },
  { option: DENY_AND_STOP },
];
