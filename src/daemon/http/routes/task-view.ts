import { askTitle } from "../../../core/ask/title.ts";
import type { Ask } from "../../../core/ask/ask.ts";
import type { Task } from "../../../core/task/task.ts";
import { hasProcess } from "../../../core/task/task-state.ts";
import { plus } from "../../../core/task/usage.ts";
import type { TaskView } from "../../../protocol/task.ts";
import { measureDiff } from "../../../runner/work/diff-stat.ts";
import { createProjects } from "../../../inbox/projects.ts";
import type { Runner } from "../../../runner/runner.ts";
import type { Store } from "../../../store/store.ts";

type Deps = { store: Store; runner: Runner; now: () => number };

/** Of one session; an agent asks a handful at once. */
const MOST_OPEN = 100;

/** A task as surfaces get it: with what it asks, what its agent does right now and what it changed. */
export function createTaskViews({ store, runner, now }: Deps) {
  const projects = createProjects(now);

  const view = async (task: Task): Promise<TaskView> => viewWith(task, await openAsksOf(task));

  async function viewWith(task: Task, open: readonly Ask[]): Promise<TaskView> {
    const live = hasProcess(task) ? runner.liveOf(task.id) : undefined;
    const questions = open.filter(({ kind }) => kind === "question").flatMap(inAgentsWords);
    const isWaiting = task.state === "waiting";
    return {
      ...task,
      project: (await projects(task.order.cwd)).project,
      usage: live ? plus(task.usage, live.usage) : task.usage,
      asks: open.map(({ id }) => id),
      elapsedMs: task.startedAt === undefined ? 0 : (task.endedAt ?? now()) - task.startedAt,
      ...(isWaiting && questions.length > 0 && { pending_questions: questions }),
      ...(isWaiting && open[0] && { waitingSince: open[0].createdAt, asking: askTitle(open[0]) }),
      ...(live?.tool && { tool: live.tool }),
    };
  }

  async function openAsksOf(task: Task): Promise<Ask[]> {
    const { session } = task;
    if (session === undefined) return [];
    return placed(task, await store.list({ session, states: ["open"], limit: MOST_OPEN }));
  }

  function placed(task: Task, open: readonly Ask[]): Ask[] {
    const calls = hasProcess(task) ? runner.liveOf(task.id)?.calls : undefined;
    return inOrder(open, calls ?? []);
  }

  /** What all of them ask is read at once: a question to the store for each of a thousand would be what a list waits for. */
  async function views(tasks: readonly Task[]): Promise<TaskView[]> {
    const sessions = tasks.flatMap(({ session }) => session ?? []);
    const open = await store.list({ sessions, states: ["open"], limit: MOST_OPEN * sessions.length });
    const bySession = Map.groupBy(open, ({ origin }) => origin.session);
    return Promise.all(
      tasks.map((task) => {
        const own = task.session === undefined ? [] : (bySession.get(task.session) ?? []);
        return viewWith(task, placed(task, own.slice(0, MOST_OPEN)));
      }),
    );
  }

  return {
    view,
    views,
    openAsksOf,
    /** With a worktree measured now, not when its agent last stopped. */
    async whole(task: Task): Promise<TaskView> {
      const diff = task.workdir && (await measureDiff(task.workdir));
      return { ...(await view(task)), ...(diff && { diff }) };
    },
  };
}

/** As the agent wrote them: the hooks of one message arrive in any order. */
function inOrder(asks: readonly Ask[], calls: readonly string[]): Ask[] {
  const placeOf = ({ deliveries }: Ask) => {
    const at = calls.indexOf(deliveries[0]?.key ?? "");
    return at < 0 ? calls.length : at;
  };
  return asks.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The way out that Parley adds to a task's questions is none of the agent's options. */
const inAgentsWords = (ask: Ask) =>
  ask.questions.map(({ text, header, options, multiSelect }) => ({
    ask: ask.id,
    question: text,
    header,
    options: options
      .filter(({ effect }) => effect !== "cancel")
      .map(({ label, description, preview }) => ({ label, description, ...(preview !== undefined && { preview }) })),
    multiSelect,
  }));
