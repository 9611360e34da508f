import { z } from "zod";
import { CANCEL, type Choice } from "./approval.ts";

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
      label: "Accept, ask for edits",
      description: "Start; it asks before each edit, as usual",
      recommended: false,
      effect: "allow",
      target: "default",
    },
    grants: mode("default"),
  },
  {
    option: {
      label: "Accept, and accept edits",
      description: "Start, and accept every file edit in this session without asking",
      recommended: false,
      effect: "allow",
      target: "acceptEdits",
      stakes: "high",
    },
    grants: mode("acceptEdits"),
  },
  {
    option: {
      label: "Revise",
      description: "Keep planning; say with a note what to change",
      recommended: false,
      effect: "deny",
    },
  },
  CANCEL,
];
