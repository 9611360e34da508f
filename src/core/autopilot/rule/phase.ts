import { z } from "zod";

export const PHASES = ["discuss", "plan", "execute", "verify"] as const;
/** How deep an answer goes: where decisions are made, are turned into plans, are carried out, are looked at. */
export const Phase = z.enum(PHASES);
export type Phase = z.infer<typeof Phase>;

/** Of a workflow's own: the beginning of a command → the phase it is. */
export const Phases = z.record(z.string().min(1), Phase);
export type Phases = z.infer<typeof Phases>;

const KNOWN: Phases = {
  "gsd:discuss-phase": "discuss",
  "gsd:new-project": "discuss",
  "gsd:new-milestone": "discuss",
  "gsd:explore": "discuss",
  "gsd:list-phase-assumptions": "discuss",
  "gsd:research-phase": "plan",
  "gsd:plan-phase": "plan",
  "gsd:plan-milestone-gaps": "plan",
  "gsd:execute-phase": "execute",
  "gsd:execute-plan": "execute",
  "gsd:quick": "execute",
  "gsd:fast": "execute",
  "gsd:debug": "execute",
  "gsd:verify-work": "verify",
  "gsd:verify-phase": "verify",
  "gsd:audit-milestone": "verify",
  "gsd:audit-uat": "verify",
};

/** The phase a running command sets; none where no workflow is known. What a person defined comes first. */
export function phaseOf(command: string | undefined, own: Phases = {}): Phase | undefined {
  const name = nameOf(command ?? "");
  if (name === "") return undefined;
  return longestPrefix(name, own) ?? longestPrefix(name, KNOWN);
}

/** "/gsd-plan-phase 3" is "gsd:plan-phase": both spellings are in use. */
function nameOf(command: string): string {
  const [first = ""] = command.trim().toLowerCase().slice(0, 200).split(/\s/);
  return first.replace(/^\//, "").replace(/^gsd-/, "gsd:");
}

function longestPrefix(name: string, phases: Phases): Phase | undefined {
  const [found] = Object.entries(phases)
    .map(([prefix, phase]) => ({ prefix: nameOf(prefix), phase }))
    .filter(({ prefix }) => prefix !== "" && name.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  return found?.phase;
}
