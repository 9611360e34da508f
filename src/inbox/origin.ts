import { basename } from "node:path";
import type { Agent } from "../agents/agent.ts";
import type { SessionFacts } from "../agents/capability/reading.ts";
import type { Origin, Pane } from "../core/ask/ask.ts";
import type { HookCall } from "../protocol/hook.ts";
import type { Projects } from "./projects.ts";

/** Where a question comes from. */
export async function originOf(
  agent: Agent,
  asked: { session: SessionFacts; turn?: string; subagent?: string; subagentType?: string },
  facts: HookCall["facts"],
  projectOf: Projects,
): Promise<Origin> {
  const { id, cwd, mode, transcript } = asked.session;
  const pane = paneOf(facts);
  return {
    agent: agent.name,
    session: id,
    ...(facts.task !== undefined && { task: facts.task }),
    ...(facts.sandbox && { sandbox: true }),
    ...(facts.container !== undefined && { container: facts.container }),
    ...(await placeOf(cwd, facts, projectOf)),
    ...(mode !== undefined && { mode }),
    ...(asked.turn !== undefined && { turn: asked.turn }),
    ...(asked.subagent !== undefined && { subagent: asked.subagent }),
    ...(asked.subagentType !== undefined && { subagentType: asked.subagentType }),
    ...(transcript !== undefined &&
      agent.record && { recordSize: Bun.file(agent.record.pathOf(transcript, asked.subagent)).size }),
    ...(pane && { pane }),
  };
}

/** A folder that only a container has is a project by its name, and of that container. */
export async function placeOf(cwd: string | undefined, { container, folder }: HookCall["facts"], projectOf: Projects) {
  if (cwd !== undefined) return { cwd, ...(await projectOf(cwd)) };
  if (container === undefined) return {};
  return { project: `${container}:${basename(folder ?? "") || "/"}` };
}

/** `$TMUX` is `<server socket>,<server pid>,<session>`. */
export function paneOf({ tmux, pane }: HookCall["facts"]): Pane | undefined {
  const [server, pid = ""] = tmux?.split(",") ?? [];
  if (!server || !pane) return undefined;
  return { server, id: pane, ...(/^\d{1,9}$/.test(pid) && { pid: Number(pid) }) };
}
