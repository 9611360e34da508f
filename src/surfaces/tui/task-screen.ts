import { safeLine, safeText } from "../../core/text/text.ts";
import { diffWords, stateWords } from "../../core/words/task-words.ts";
import { appliedWords, discardWords } from "../../core/words/work-words.ts";
import type { Theme } from "../../dialog/theme.ts";
import type { TaskView } from "../../protocol/task.ts";
import type { AskView } from "../../protocol/view.ts";
import { patchColour } from "../terminal/patch-colour.ts";
import { type Box, createConfirmation, createPager } from "./draw/box.ts";
import { styleOf } from "./draw/theme-style.ts";
import type { Desk } from "./action/inbox-actions.ts";
import type { Model } from "./model.ts";
import { TASK_KEYS, type TaskKey } from "./task-keys.ts";

type Deps = {
  model: Model;
  desk: Desk;
  theme: Theme;
  show(box: Box): void;
  close(): void;
  answer(ask: AskView): void;
};

/** What keys do on the tab of tasks. What ends or throws away something is asked about once more. */
export function createTaskScreen({ model, desk, theme, show, close, answer }: Deps) {
  const DO: Record<TaskKey, (task: TaskView) => void> = {
    diff: (task) => void diff(task),
    apply: (task) =>
      void desk.onTask(
        "taskApply",
        task,
        ({ applied }) => `✓ ${nameOf(task)}: ${applied ? appliedWords(applied) : ""}`,
      ),
    discard: (task) =>
      sure(task, discardWords(task), () => desk.onTask("taskDiscard", task, () => `✓ ${nameOf(task)}: discarded`)),
    done: (task) => sure(task, "Mark it as done?", () => desk.onTask("taskDone", task, became(task))),
    cancel: (task) => sure(task, "Cancel the task?", () => desk.onTask("taskCancel", task, became(task))),
    retry: (task) =>
      sure(task, "Start it again from the beginning?", () => desk.onTask("taskRetry", task, became(task))),
  };

  async function diff(task: TaskView): Promise<void> {
    const found = await desk.diff(task);
    if (!found) return;
    const style = styleOf(theme);
    const lines = found.patch
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => patchColour(line, style)(safeText(line.replaceAll("\r", "␍"), { max: 500 })));
    const title = `${nameOf(task)}: ${diffWords(found)}`;
    show(
      createPager(theme, { title, lines: found.files === 0 ? [] : lines, hint: "any other key closes", press: close }),
    );
  }

  function sure(task: TaskView, title: string, confirm: () => void): void {
    const lines = [
      nameOf(task),
      ...(task.diff?.paths ?? []).slice(0, 10).map(({ path }) => safeLine(path, { max: 70 })),
    ];
    show(createConfirmation(theme, { title, lines, confirm, close, now: model.awake }));
  }

  return {
    /** False: the key is none of a task's. */
    pressed(key: string): boolean {
      const task = model.task();
      const found = TASK_KEYS.find((each) => each.key === key);
      if (!found) return false;
      if (task && found.when(task)) DO[found.does](task);
      return true;
    },
    /** What it asks, else what it changed. */
    open(): void {
      const task = model.task();
      if (!task) return;
      if (task.asks.length === 0) return DO.diff(task);
      void desk.askOf(task).then((ask) => ask && answer(ask));
    },
  };
}

const nameOf = ({ order }: TaskView) => safeLine(order.name, { max: 60 });
const became = (task: TaskView) => (after: TaskView) => `${nameOf(task)}: ${stateWords(after)}`;
