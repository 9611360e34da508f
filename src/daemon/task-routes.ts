import { basename } from "node:path";
import type { Ask } from "../core/ask.ts";
import { ParleyError } from "../core/error.ts";
import { isOver, type Task, type TaskOrder, type TaskState } from "../core/task.ts";
import { safeLine } from "../core/text.ts";
import type { TaskView } from "../protocol/task.ts";
import type { Runner } from "../runner/runner.ts";
import type { Store } from "../store/store.ts";
import type { Inbox } from "./inbox.ts";
import type { Routes } from "./routes.ts";

type Deps = { store: Store; inbox: Inbox; runner: Runner };
type TaskRoutes = Pick<
  Routes,
  "createTask" | "listTasks" | "getTask" | "taskFeedback" | "taskRetry" | "taskCancel" | "taskDone"
>;
const ACTIVE: readonly TaskState[] = ["queued", "in_progress", "waiting"];

export function createTaskRoutes({ store, inbox, runner }: Deps): TaskRoutes {
  const { tasks } = runner;

  async function view(task: Task): Promise<TaskView> {
    const session = task.session === undefined ? [] : await store.list({ session: task.session, states: ["open"] });
    const questions = session.filter(({ kind }) => kind === "question").flatMap(inAgentsWords);
    const tool = runner.toolOf(task.id);
    return {
      ...task,
      asks: session.map(({ id }) => id),
      ...(task.state === "waiting" && questions.length > 0 && { pending_questions: questions }),
      ...(tool && { tool }),
    };
  }

  return {
    async createTask({ body: { environment, name, ...order } }) {
      const wanted: TaskOrder = { ...order, name: name ?? nameFor(order.prompt, order.cwd) };
      return view(await runner.create(wanted, environment));
    },
    async listTasks({ query: { state, limit } }) {
      const states = state === "all" ? undefined : state === "active" ? ACTIVE : [state];
      const found = await store.tasks({ limit, ...(states && { states }) });
      return { tasks: await Promise.all(found.map(view)) };
    },
    getTask: async ({ id }) => view(await tasks.get(id)),
    async taskFeedback({ id, body: { message } }) {
      const task = await tasks.get(id);
      const [ask] = task.session === undefined ? [] : await store.list({ session: task.session, states: ["open"] });
      if (!ask) throw new ParleyError("not_answerable", `Task ${task.id} does not wait for anything`);
      const answers = ask.questions.map(() => ({ picks: [], text: message }));
      await inbox.settle(ask.id, { action: "answer", answers }, { type: "person", surface: "api" });
      return view(await tasks.get(task.id));
    },
    async taskRetry({ id }) {
      const task = await tasks.get(id);
      if (!isOver(task)) await runner.end(task, "cancelled", "started again");
      return view(await tasks.change(task.id, () => [{ type: "task.retried" }]));
    },
    async taskCancel({ id }) {
      const task = await tasks.get(id);
      await runner.end(task, "cancelled", "cancelled by a person");
      return view(await tasks.get(task.id));
    },
    async taskDone({ id }) {
      const task = await tasks.get(id);
      await runner.end(task, "done", "called done by a person");
      return view(await tasks.get(task.id));
    },
  };
}

const inAgentsWords = (ask: Ask) =>
  ask.questions.map(({ text, header, options, multiSelect }) => ({
    ask: ask.id,
    question: text,
    header,
    options: options.map(({ label, description }) => ({ label, description })),
    multiSelect,
  }));

function nameFor(prompt: string, cwd: string): string {
  return safeLine(prompt, { max: 40 }) || basename(cwd);
}
