import type { Client } from "../../../client/client.ts";
import { isUp } from "../../../client/wire.ts";
import { safeText } from "../../../core/text/text.ts";
import type { Paths } from "../../../machine/home.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Commands of people and agents who come back to see what there is. */
const LOOKING = new Set(
  "ls status show why log decisions answer accept undo review snooze jump explain autopilot tasks task".split(" "),
);
/** Of these an agent runs some inside its session, and they know of agents anyway. */
const KNOWING = new Set("answer accept undo autopilot task".split(" "));
type Deps = { terminal: Terminal; client: Client; paths: Paths };

/**
 * Whoever answered in a shell hears with the next command there, once, that the agent received something else: a person
 * on a terminal, an agent inside its session. Contract: starts nothing, and never fails.
 */
export async function tellMismatches(command: string, { terminal, client, paths }: Deps): Promise<void> {
  if (!LOOKING.has(command)) return;
  try {
    const session = KNOWING.has(command)
      ? (await import("../../../agents/agents.ts")).sessionAround(terminal.env)
      : undefined;
    if ((!terminal.errIsTty && session === undefined) || !(await isUp(paths))) return;
    const body = { surface: "cli", ...(session !== undefined && { session }) };
    const { mismatches } = await client.call("tellMismatches", { body });
    for (const { text } of mismatches) terminal.err(`\n${mismatchLines(text)}`);
  } catch {
    // It is told with the next one.
  }
}

export const mismatchLines = (text: string): string => `${safeText(text)}\n`;
