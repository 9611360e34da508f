import { createHash } from "node:crypto";
import { agentNamed } from "../../../agents/agents.ts";
import type { Ask } from "../../../core/ask/ask.ts";
import { ParleyError } from "../../../core/error.ts";
import { makeId } from "../../../core/id.ts";
import type { Settlement } from "../../../core/ask/settle.ts";
import type { Task, TaskOrder, TaskState } from "../../../core/task/task.ts";
import { isOver } from "../../../core/task/task-state.ts";
import { safeLine } from "../../../core/text/text.ts";
import { refusal } from "../../../protocol/who-may.ts";
import { readTaskLog, tailTaskLog } from "../../../runner/run/pretty-log.ts";
import { pathOfRun, runFolder } from "../../../runner/run/run-folder.ts";
import type { Runner } from "../../../runner/runner.ts";
import { measureDiff } from "../../../runner/work/diff-stat.ts";
import { readPatch } from "../../../runner/work/patch.ts";
import { removeWorktree } from "../../../machine/worktree/remove.ts";
import type { Store } from "../../../store/store.ts";
import { actorOf, type Caller } from "../../../inbox/callers.ts";
import type { Inbox } from "../../../inbox/inbox.ts";
import type { MustAsk } from "../../../inbox/grant/must-ask.ts";
import type { Routes } from "./route.ts";
import { createGiveTask, USUAL_AGENT } from "../../ops/give-task.ts";
import { createTaskViews } from "./task-view.ts";

type Deps = { store: Store; inbox: Inbox; runner: Runner; mustAsk: MustAsk; now: () => number; home: string };
type TaskRoutes = Pick<Routes, Extract<keyof Routes, `task${string}`> | "createTask" | "listTasks" | "getTask">;
const STATES: Record<string, readonly TaskState[]> = {
  active: ["queued", "in_progress", "waiting"],
  over: ["done", "failed", "cancelled"],
};

export function createTaskRoutes({ store, inbox, runner, mustAsk, now, home }: Deps): TaskRoutes {
  const { tasks } = runner;
  const giveTask = createGiveTask({ runner, mustAsk });
  const { view, views, whole, openAsksOf } = createTaskViews({ store, runner, now });

  return {
    async createTask({ body: sent, once, caller }) {
      const body = { ...sent, agent: sent.agent ?? USUAL_AGENT };
      const { environment, sandbox, network, ...order } = body;
      const by = actorOf(caller, "api");
      const isAgents = by.type === "agent";
      const usual = await runner.settings();
      if (isAgents) refuseWider({ ...order, network, isOutside: sandbox === false && usual.sandbox !== false });
      const given = isAgents ? await asGiven(environment, caller) : environment;
      const request = once === undefined ? {} : { request: digestOf(body) };
      const from = { ...request, ...(isAgents && { by }) };
      const wanted = { ...order, sandbox, network };
      return view(await giveTask({ id: idFor(once), order: wanted, environment: given, ...from }));
    },
    async listTasks({ query: { state, limit } }) {
      const states = state === "all" ? undefined : (STATES[state] ?? [state as TaskState]);
      const found = await store.tasks({ limit, newest: true, ...(states && { states }) });
      return { tasks: await views(found) };
    },
    getTask: async ({ id }) => whole(await tasks.get(id)),
    async taskLog({ id, query: { after, tail, limit } }) {
      const task = await tasks.get(id);
      const source = {
        prompt: task.order.prompt,
        runs: task.run,
        folder: (run: number) => runFolder(pathOfRun(home, task.id, run)),
        readStream: agentNamed(task.order.agent)?.headless?.readStream ?? (() => []),
      };
      return tail ? tailTaskLog(source, limit) : readTaskLog(source, { after, limit });
    },
    async taskFeedback({ id, body: { message, surface, session }, once, caller }) {
      const task = await tasks.get(id);
      if (once !== undefined && task.toldFor === once) return view(task);
      const key = once && `feedback ${once}`;
      // Sent again, because its reply got lost, it is no answer to what the task asks by now.
      const before = key === undefined ? undefined : (await store.used(key))?.ask;
      const [ask] = before ? [before] : await openAsksOf(task);
      const actor = actorOf(caller, surface, session);
      if (!ask && task.session !== undefined && [actor.session, ...(actor.around ?? [])].includes(task.session))
        throw new ParleyError("self_answer", "An agent may not give itself feedback: this is the task's own session");
      if (!ask && (await runner.tell(task.id, message, once))) return view(await tasks.get(task.id));
      if (!ask)
        throw new ParleyError("not_answerable", `${named(task)} is not waiting for anything: it is ${inWords(task)}`);
      await inbox.once(key, { task: task.id, message }, (first) =>
        inbox.settle(ask.id, inOwnWords(ask, message), actor, first),
      );
      return view(await tasks.get(task.id));
    },
    async taskRetry({ id, body: { surface }, once }) {
      return view(await runner.retry(await tasks.get(id), `restarted by you (${surface})`, once));
    },
    taskCancel: ({ id, body: { surface } }) => ended(id, "cancelled", `cancelled by you (${surface})`),
    taskDone: ({ id, body: { surface } }) => ended(id, "done", `marked done by you (${surface})`),
    async taskDiff({ id }) {
      const { order, workdir, cleared } = await tasks.get(id);
      if (!workdir) throw new ParleyError("usage", `It has no worktree: see what changed in ${order.cwd} with git`);
      const none = { files: 0, added: 0, removed: 0, paths: [] };
      if (cleared) return { ...none, patch: "", isCut: false };
      return { ...((await measureDiff(workdir)) ?? none), ...(await readPatch(workdir)) };
    },
    taskApply: async ({ id, body: { surface } }) => whole(await runner.work.apply(await tasks.get(id), surface)),
    taskDiscard: async ({ id }) => view(await runner.work.discard(await tasks.get(id))),
    async taskRemove({ id }) {
      const task = await tasks.get(id);
      if (!isOver(task))
        throw new ParleyError(
          "busy",
          `${named(task)} is ${inWords(task)}. Stop it first: parley task cancel ${task.id}`,
        );
      await runner.ended(task);
      const kept = task.workdir ? await removeWorktree(task.workdir, task.applied) : [];
      await runner.remove(task.id, kept);
      return { id: task.id, name: task.order.name, kept };
    },
  };

  async function ended(id: string, state: "cancelled" | "done", reason: string) {
    const task = await tasks.get(id);
    if (isOver(task)) throw new ParleyError("already_settled", `${named(task)} has already ended: ${inWords(task)}`);
    await runner.end(task, state, reason);
    return view(await tasks.get(task.id));
  }
}

/** An agent gives work to another one, but not what it has not got itself: a command that nobody has to allow. */
function refuseWider({
  agent,
  permissionMode,
  gate,
  network,
  isOutside,
}: Pick<TaskOrder, "agent" | "permissionMode" | "gate"> & { network: unknown; isOutside: boolean }): void {
  const careful = agentNamed(agent)?.headless?.carefulModes ?? [];
  if (permissionMode !== undefined && !careful.includes(permissionMode))
    throw new ParleyError("forbidden", refusal(`Only a person may give a task the permission mode ${permissionMode}`));
  if (isOutside) throw new ParleyError("forbidden", refusal("Only a person may give a task without its sandbox"));
  if (network !== undefined)
    throw new ParleyError("forbidden", refusal("Only a person may say what a sandbox reaches"));
  if (gate !== undefined) throw new ParleyError("forbidden", refusal("Only a person may give a task a gate"));
}

/** Of what an agent hands on only what it was given itself, so that it picks no other settings or programs for its task. */
async function asGiven(environment: Record<string, string>, caller: Caller): Promise<Record<string, string>> {
  const outside = await caller.environment();
  return Object.fromEntries(
    Object.keys(environment).flatMap((name) => (outside[name] === undefined ? [] : [[name, outside[name]]])),
  );
}

/** A request that is sent again, because its reply got lost, makes no second task. */
function idFor(once: string | undefined): string {
  const bytes =
    once === undefined ? crypto.getRandomValues(new Uint8Array(16)) : createHash("sha256").update(once).digest();
  return makeId(bytes);
}

/** The same for the same request, in whatever order its fields were sent. */
function digestOf(body: { environment: Record<string, string> } & Record<string, unknown>): string {
  const sorted = (fields: object) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { environment, ...order } = body;
  const text = JSON.stringify([sorted(order), sorted(environment)]);
  return createHash("sha256").update(text).digest("hex");
}

/** Own words do not allow anything: with an approval or a plan they say why not. */
/** Words for whoever waits, in the place of an answer. */
export function inOwnWords({ kind, questions }: Ask, message: string): Settlement {
  if (kind === "approval" || kind === "plan") return { action: "decline", message };
  return { action: "answer", answers: questions.map(() => ({ picks: [], text: message })) };
}

const named = ({ id, order }: Task) => `Task ${id} (${safeLine(order.name, { max: 40 })})`;

const inWords = ({ state }: Task) => state.replace("_", " ");
