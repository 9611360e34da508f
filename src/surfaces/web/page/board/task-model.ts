import type { TaskView } from "../../../../protocol/task.ts";
import { call, randomKey } from "../api.ts";

/** Contract: a new object with every change; `tasks` is oldest first. */
export type TaskSnapshot = { isRead: boolean; tasks: readonly TaskView[]; problem?: string | undefined };
export type TaskModel = ReturnType<typeof createTaskModel>;
export type NewTask = {
  prompt: string;
  cwd: string;
  name?: string;
  model?: string;
  permissionMode?: string;
  worktree?: boolean;
  gate?: string;
  budgetUsd?: number;
  review?: boolean;
};

const ACTIONS = {
  retry: "taskRetry",
  cancel: "taskCancel",
  done: "taskDone",
  apply: "taskApply",
  discard: "taskDiscard",
} as const;
export type TaskAction = keyof typeof ACTIONS;

/** Apart: no number of ended ones hides one that is not over. */
const MOST_ACTIVE = 1000;
const MOST_OVER = 500;
const GATHER_MS = 30;
const MANY = 25;
/** What a running agent does right now is no event. */
const PROGRESS_MS = 2000;

/** The tasks as this tab knows them, read when somebody looks at the board and followed while they do. */
export function createTaskModel() {
  let tasks = new Map<string, TaskView>();
  let snapshot: TaskSnapshot = { isRead: false, tasks: [] };
  let watchers = 0;
  /** Opened by its address, though no list has it. */
  let looked: string | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const changed = new Set<string>();
  const listeners = new Set<() => void>();

  function publish(part: Partial<TaskSnapshot> = {}): void {
    snapshot = { ...snapshot, tasks: [...tasks.values()].toSorted(byAge), ...part };
    for (const tell of listeners) tell();
  }

  function put(views: readonly TaskView[]): void {
    for (const view of views) {
      const known = tasks.get(view.id);
      if ((known?.version ?? -1) <= view.version) tasks.set(view.id, withPaths(view, known));
    }
    publish();
  }

  async function readAll(): Promise<void> {
    try {
      const [active, over, old] = await Promise.all([
        call("listTasks", { query: { state: "active", limit: MOST_ACTIVE } }),
        call("listTasks", { query: { state: "over", limit: MOST_OVER } }),
        looked === undefined ? undefined : read(looked),
      ]);
      const found = [...active.tasks, ...over.tasks, ...(old ? [old] : [])];
      // One that was in two of them is what it was last.
      found.sort((a, b) => a.version - b.version);
      tasks = new Map(found.map((task) => [task.id, withPaths(task, tasks.get(task.id))]));
      publish({ isRead: true, problem: undefined });
    } catch (error) {
      publish({ problem: words(error) });
    }
  }

  async function readChanged(): Promise<void> {
    gathering = undefined;
    const ids = [...changed];
    changed.clear();
    if (ids.length > MANY) return readAll();
    const views = await Promise.all(ids.map((id) => read(id)));
    put(views.filter((view) => view !== undefined));
  }

  /** Undefined: it was removed. */
  async function read(id: string): Promise<TaskView | undefined> {
    return call("getTask", { id }).catch((error: unknown) => {
      if ((error as { status?: number }).status === 404) tasks.delete(id);
      return undefined;
    });
  }

  async function readRunning(): Promise<void> {
    if (document.visibilityState === "hidden" || !snapshot.tasks.some(({ state }) => state === "in_progress")) return;
    const running = await call("listTasks", { query: { state: "in_progress", limit: MOST_ACTIVE } }).catch(
      () => undefined,
    );
    put(running?.tasks ?? []);
  }

  return {
    get: () => snapshot,
    subscribe(tell: () => void): () => void {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    /** The list is right from now on, until what this gives back is called. */
    watch(): () => void {
      watchers++;
      void readAll();
      const timer = setInterval(() => void readRunning(), PROGRESS_MS);
      return () => {
        watchers--;
        clearInterval(timer);
      };
    },
    /** Something happened to it, or to what it asked. */
    heard(id: string): void {
      if (watchers === 0) return;
      changed.add(id);
      gathering ??= setTimeout(() => void readChanged(), GATHER_MS);
    },
    /** Also one that ended long ago: a link may point at it. Contract: throws when there is none. */
    async look(id: string): Promise<TaskView> {
      const found = await call("getTask", { id });
      looked = found.id;
      put([found]);
      return found;
    },
    /** These three throw what the daemon refuses. */
    async create(order: NewTask): Promise<TaskView> {
      const made = await call("createTask", { body: order, once: randomKey() });
      put([made]);
      return made;
    },
    async act(id: string, action: TaskAction): Promise<void> {
      put([await call(ACTIONS[action], { id, body: { surface: "web" } })]);
    },
    diff: (id: string) => call("taskDiff", { id }),
    async feedback(id: string, message: string): Promise<void> {
      put([await call("taskFeedback", { id, body: { message, surface: "web" } })]);
    },
  };
}

/** Lists say how much changed, not where: what is known of that stays until it is read anew. */
function withPaths(view: TaskView, known: TaskView | undefined): TaskView {
  const paths = view.diff?.paths ?? known?.diff?.paths;
  return view.diff && paths ? { ...view, diff: { ...view.diff, paths } } : view;
}

const byAge = (a: TaskView, b: TaskView) => a.createdAt - b.createdAt;
const words = (error: unknown) => (error instanceof Error ? error.message : String(error));
