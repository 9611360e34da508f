import { z } from "zod";

export const PHASES = ["discuss", "plan", "execute", "verify"] as const;
/** How deep an answer goes: where decisions are made, are turned into plans, are carried out, are looked at. */
export const Phase = z.enum(PHASES);
export type Phase = z.infer<typeof Phase>;

/** Of a workflow's own: the beginning of a command → the phase it is. */
export const Phases = z.record(z.string().min(1), Phase);
export type Phases = z.infer<typeof Phases>;

/** The phase a running command sets; none where no workflow of these is known. */
export function phaseOf(command: string | undefined, phases: Phases = {}): Phase | undefined {
  const name = nameOf(command ?? "");
  return name === "" ? undefined : longestPrefix(name, phases);
}

/** "/gsd-plan-phase 3" is "gsd:plan-phase": both spellings are in use. */
function nameOf(command: string): string {
  const [first = ""] = command.trim().toLowerCase().slice(0, 200).split(/\s/);
  return first.replace(/^\//, "").replaceAll(":", "-");
}

function longestPrefix(name: string, phases: Phases): Phase | undefined {
  const [found] = Object.entries(phases)
    .map(([prefix, phase]) => ({ prefix: nameOf(prefix), phase }))
    .filter(({ prefix }) => prefix !== "" && name.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  return found?.phase;
}
