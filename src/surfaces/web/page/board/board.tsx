import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { NOTHING_WAITS } from "../../../../core/words/ask-words.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { Card } from "./card.tsx";
import type { Forms } from "../form/forms.ts";
import { isPlainKey } from "../keys.ts";
import type { Model, Snapshot } from "../model.ts";
import { NewTask } from "./new-task.tsx";
import { goTo, NEW_TASK, type Route, taskPath } from "../route.ts";
import { useChanging, useNow } from "../settings/subscribe.ts";
import { TaskDialog } from "./task-dialog.tsx";
import type { TaskModel } from "./task-model.ts";
import { type Column, columnOf, COLUMNS } from "./columns.ts";

type Props = { tasks: TaskModel; model: Model; forms: Forms; snapshot: Snapshot; route: Route };
const SHOWN = 50;

export function Board({ tasks: taskModel, model, forms, snapshot, route }: Props) {
  const { tasks, isRead, problem } = useChanging(taskModel.get, taskModel.subscribe);
  const now = useNow(1000);
  const [words, setWords] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const board = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => byColumn(tasks, words), [tasks, words]);
  const opened = route.task === undefined ? undefined : tasks.find(({ id }) => id === route.task);
  const left = useRef<string>();
  const isUnknown = isRead && route.task !== undefined && !opened;
  useEffect(() => taskModel.watch(), [taskModel, snapshot.phase]);
  useEffect(() => {
    if (!isUnknown || route.task === undefined) return;
    const leave = (hash: string) => location.hash === taskPath(route.task ?? "") && goTo(hash, { quietly: true });
    taskModel.look(route.task).then(
      ({ id }) => leave(taskPath(id)),
      () => leave("#/board"),
    );
  }, [isUnknown, route.task]);
  useEffect(() => {
    // Back on its card, wherever that is now.
    if (route.task === undefined && left.current !== undefined)
      board.current?.querySelector<HTMLElement>(`.card[href="${taskPath(left.current)}"]`)?.focus();
    left.current = route.task;
  }, [route.task]);

  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && event.target === search.current) return search.current?.blur();
      if (!isPlainKey(event) || document.querySelector("dialog[open]")) return;
      if (event.key === "/") return (event.preventDefault(), search.current?.focus());
      if (event.key === "n") return (event.preventDefault(), goTo(NEW_TASK));
      const step = STEPS[event.key];
      if (!step || !board.current) return;
      event.preventDefault();
      moveFocus(board.current, step);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);

  return (
    <div class="board" ref={board}>
      <div class="filter">
        <h1>Board</h1>
        <input
          ref={search}
          type="search"
          placeholder="Search tasks"
          aria-label="Search tasks"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <a class="button primary" href={NEW_TASK}>
          New task
        </a>
      </div>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <div class="columns">
        {COLUMNS.map(([column, title]) => (
          <Cards key={column} {...{ column, title, now, isRead, taskModel }} tasks={columns[column]} />
        ))}
      </div>
      {route.isNew && <NewTask tasks={taskModel} known={tasks} />}
      {opened && (
        <TaskDialog key={opened.id} task={opened} tasks={taskModel} model={model} forms={forms} snapshot={snapshot} />
      )}
    </div>
  );
}

type CardsProps = {
  column: Column;
  title: string;
  tasks: readonly TaskView[];
  taskModel: TaskModel;
  now: number;
  isRead: boolean;
};

function Cards({ column, title, tasks, taskModel, now, isRead }: CardsProps) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <section class="column" data-column={column} aria-label={title}>
      <h2>
        {title} <span class="dim">{tasks.length > 0 && tasks.length}</span>
      </h2>
      <ul>
        {tasks.slice(0, shown).map((task) => (
          <Card key={task.id} task={task} now={now} tasks={taskModel} />
        ))}
      </ul>
      {tasks.length === 0 && <p class="none">{isRead ? EMPTY[column] : "Loading …"}</p>}
      {tasks.length > shown && (
        <button class="button" type="button" onClick={() => setShown(shown + SHOWN)}>
          Show {Math.min(SHOWN, tasks.length - shown)} more
        </button>
      )}
    </section>
  );
}

const EMPTY: Record<Column, string> = {
  queued: "Nothing is queued.",
  in_progress: "No agents running.",
  waiting: `${NOTHING_WAITS}.`,
  over: "Nothing has finished yet.",
};
const STEPS: Record<string, [across: number, down: number]> = {
  j: [0, 1],
  k: [0, -1],
  l: [1, 0],
  h: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
};

/** Waiting ones longest first, ended ones newest first; in the queue as they will be started. */
function byColumn(tasks: readonly TaskView[], words: string): Record<Column, TaskView[]> {
  const found: Record<Column, TaskView[]> = { queued: [], in_progress: [], waiting: [], over: [] };
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  for (const task of tasks) {
    const { name, prompt, cwd } = task.order;
    const text = [task.id, name, prompt, cwd, task.workdir?.branch].join("\n").toLowerCase();
    if (wanted.every((word) => text.includes(word))) found[columnOf(task)].push(task);
  }
  found.queued.sort((a, b) => b.order.priority - a.order.priority || a.createdAt - b.createdAt);
  found.waiting.sort((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0));
  found.over.sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  return found;
}

/** To the card beside or below the one with the focus; into a column that has cards. */
function moveFocus(board: HTMLElement, [across, down]: [number, number]): void {
  const columns = [...board.querySelectorAll(".column")]
    .map((column) => [...column.querySelectorAll<HTMLElement>(".card")])
    .filter((cards) => cards.length > 0);
  const at = columns.findIndex((cards) => cards.includes(document.activeElement as HTMLElement));
  if (at === -1) return (board.querySelector<HTMLElement>('[data-column="waiting"] .card') ?? columns[0]?.[0])?.focus();
  const row = columns[at]?.indexOf(document.activeElement as HTMLElement) ?? 0;
  const cards = columns[at + across];
  cards?.[Math.max(0, Math.min(row + down, cards.length - 1))]?.focus();
}
