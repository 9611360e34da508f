import { basename } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { AGENTS, agentNamed, type Installable, isInstallable } from "../../agents/agents.ts";
import { planSetup, tryIt } from "../../agents/capability/set-up.ts";
import { ParleyError } from "../../core/error.ts";
import { unifiedDiff } from "../../core/text/unified-diff.ts";
import { replaceFile } from "../../machine/file/atomic-file.ts";
import { noteSetUpPlace } from "../../machine/settings/set-up-places.ts";
import { tildePath } from "../../machine/file/tilde-path.ts";
import type { AgentView } from "../../protocol/page.ts";

/** `cwd` is Parley's home. */
type Deps = { program: string; env: Record<string, string | undefined>; cwd: string };
/** `summary`: what it does to which file, in words. `change`: undefined where nothing is to be done. */
type Change = { path: string; hasBackup: boolean; summary: string; change: string | undefined };
export type AgentSetup = ReturnType<typeof createAgentSetup>;

/** The set-up of an agent from inside the daemon: shown first, then written exactly as shown. */
export function createAgentSetup({ program, env, cwd }: Deps) {
  const planFor = async ({ install }: Installable) => planSetup(await install(), { at: { env, cwd }, program });

  /** What a person has on their PATH may have changed since this daemon was started. */
  let newestPath = "";

  async function changeFor(agent: Installable): Promise<Change> {
    const plan = await planFor(agent);
    const { path, before } = plan;
    return {
      path,
      hasBackup: before !== undefined,
      summary: `${plan.summary} ${tildePath(path, env)}`,
      change: plan.changed ? unifiedDiff(plan, path).join("\n") : undefined,
    };
  }

  const isFound = ({ program }: Agent) =>
    [env["PATH"] ?? "", newestPath].some((PATH) => Bun.which(program, { PATH }) !== null);

  return {
    isFound,
    lookOn: (path: string) => void (newestPath = path),
    changeFor,
    list: () =>
      Promise.all(
        AGENTS.filter(isInstallable).map(async (agent): Promise<AgentView> => {
          const { name, title } = agent;
          try {
            const { path, change } = await changeFor(agent);
            const setUp = change === undefined;
            return { name, title, found: isFound(agent), path, setUp, ...(change !== undefined && { change }) };
          } catch (error) {
            const path = (await agent.install()).settingsPath({ env, cwd });
            const problem = error instanceof Error ? error.message : String(error);
            return { name, title, found: isFound(agent), path, setUp: false, problem };
          }
        }),
      ),
    /** Contract: what is written is what the person saw. */
    async apply(name: string, seen: string | undefined): Promise<string> {
      const agent = agentNamed(name);
      if (!agent || !isInstallable(agent)) throw new ParleyError("not_found", `No agent "${name}"`);
      const plan = await planFor(agent);
      const { path } = plan;
      if (!plan.changed) return `was set up already: ${path}`;
      if (unifiedDiff(plan, path).join("\n") !== seen)
        throw new ParleyError(
          "settings",
          `${path} was changed since the change was shown; it was left as it is. Look again: parley setup ${name}`,
        );
      noteSetUpPlace(program, { agent: name, path });
      const backup = await replaceFile(path, plan.before, plan.after);
      const kept = backup === undefined ? "" : ` (backup: ${basename(backup)})`;
      return `Wrote ${tildePath(path, env)}${kept}; ${tryIt(agent)}`;
    },
  };
}
