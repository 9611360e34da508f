import { statSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { AGENTS, agentNamed, titleOf } from "../../agents/agents.ts";
import { ParleyError } from "../../core/error.ts";
import type { Task, TaskOrder } from "../../core/task/task.ts";
import { safeLine } from "../../core/text/text.ts";
import type { MustAsk } from "../../inbox/grant/must-ask.ts";
import type { NewTask } from "../../runner/new-task.ts";
import type { Runner } from "../../runner/runner.ts";
import { needsWorktree, sandboxFor, type SandboxWish } from "../../runner/sandbox/wish.ts";

/** Who can work without a terminal, the usual one first. */
const ABLE = AGENTS.filter(({ headless }) => headless).map(({ name }) => name);
export const USUAL_AGENT = ABLE[0] ?? "";
type Order = Omit<TaskOrder, "name" | "sandbox"> & { name?: string | undefined } & SandboxWish;
export type GiveTask = (wanted: Omit<NewTask, "order"> & { order: Order }) => Promise<Task>;

/** A task is made here, whoever gives it: by this machine's settings, or not at all. */
export function createGiveTask({ runner, mustAsk }: { runner: Runner; mustAsk: MustAsk }): GiveTask {
  return async ({ order: sent, ...rest }) => {
    const { name, sandbox: wish, network, ...order } = sent as Order & TaskOrder;
    refuseImpossible(order);
    const usual = await runner.settings();
    refuseUnable(order, {
      budgetUsd: order.budgetUsd ?? usual.budget_usd,
      isSandboxed: wish ?? usual.sandbox !== false,
      mustAsk: await mustAsk.patternsFor(order.cwd),
    });
    const sandbox = await sandboxFor({ sandbox: wish, network }, usual, process.env["PATH"] ?? "");
    if (sandbox && !agentNamed(order.agent)?.headless?.sandbox)
      throw new ParleyError("usage", `${titleOf(order.agent)} cannot be run in a sandbox: add --no-sandbox`);
    const worktree = order.worktree || (sandbox !== undefined && (await needsWorktree(order.cwd)));
    const named = { ...order, worktree, name: name ?? nameFor(order.prompt, order.cwd) };
    return runner.create({ ...rest, order: sandbox ? { ...named, sandbox } : named });
  };
}

type Wanted = {
  cwd: string;
  agent: string;
  permissionMode?: string | undefined;
  budgetUsd?: number | undefined;
};

/** Said at once, not by a process that cannot start. */
function refuseImpossible({ cwd, agent, permissionMode, budgetUsd }: Wanted): void {
  if (!isAbsolute(cwd)) throw new ParleyError("usage", `cwd: expected an absolute path, not "${cwd}"`);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new ParleyError("usage", `There is no folder ${cwd}`);
  if (!ABLE.includes(agent))
    throw new ParleyError("usage", `"${agent}" cannot run without a terminal; these can: ${ABLE.join(", ")}`);
  const { modes = [], isAcp } = agentNamed(agent)?.headless ?? {};
  if (isAcp && budgetUsd !== undefined)
    throw new ParleyError("usage", `${titleOf(agent)} does not say what a run costs: leave out --budget`);
  if (permissionMode !== undefined && !modes.includes(permissionMode))
    throw new ParleyError("usage", `"${permissionMode}" is no permission mode of ${agent}: ${modes.join(", ")}`);
}

/** What this agent cannot be held to is refused, not left out. */
function refuseUnable(
  { agent }: Wanted,
  { budgetUsd, isSandboxed, mustAsk }: { budgetUsd: number; isSandboxed: boolean; mustAsk: readonly string[] },
): void {
  const { title = agent, headless } = agentNamed(agent) ?? {};
  if (budgetUsd > 0 && !headless?.tellsCost)
    throw new ParleyError(
      "usage",
      `${title} does not say what it costs, so a task of its cannot be held to $${budgetUsd}: leave out --budget, and tasks.budget_usd`,
    );
  const [pattern] = mustAsk;
  if (pattern !== undefined && !headless?.looksFirst)
    throw new ParleyError(
      "usage",
      `${title} cannot be made to ask about ${JSON.stringify(safeLine(pattern, { max: 120 }))} in every mode (approvals.must_ask): take another agent, or take it out of your settings`,
    );
  if (isSandboxed && !headless?.sandbox)
    throw new ParleyError(
      "usage",
      `${title} cannot be run in Parley's sandbox: give --no-sandbox, and one of its own modes with --permission-mode`,
    );
}

function nameFor(prompt: string, cwd: string): string {
  return safeLine(prompt, { max: 40 }) || basename(cwd);
}
