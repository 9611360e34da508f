import type { Agent, HookReading } from "../agents/agent.ts";
import type { Origin, Pane } from "../core/ask.ts";
import { projectOf } from "../machine/git.ts";
import type { HookCall } from "../protocol/hook.ts";
import { transcriptTail } from "./transcripts.ts";

/** Where a question comes from, and what the agent said just before it. */
export async function originOf(
  agent: Agent,
  asked: HookReading & { type: "asked" },
  facts: HookCall["facts"],
): Promise<Origin> {
  const { id, cwd, transcript, mode } = asked.session;
  const pane = paneOf(facts);
  const { lastText } = transcript ? await transcriptTail(transcript, agent) : {};
  return {
    agent: agent.name,
    session: id,
    ...(cwd !== undefined && { cwd, ...(await projectOf(cwd)) }),
    ...(mode !== undefined && { mode }),
    ...(asked.turn !== undefined && { turn: asked.turn }),
    ...(asked.subagent !== undefined && { subagent: asked.subagent }),
    ...(pane && { pane }),
    ...(lastText !== undefined && { lastText }),
  };
}

/** `$TMUX` is `<server socket>,<server pid>,<session>`. */
export function paneOf({ tmux, pane }: HookCall["facts"]): Pane | undefined {
  const server = tmux?.split(",")[0];
  return server && pane ? { server, id: pane } : undefined;
}
