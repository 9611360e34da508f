import type { TaskView } from "../../protocol/task.ts";
import { hasProcess, isOver } from "../../core/task/task-state.ts";
import { hasWork } from "../../core/words/work-words.ts";
import type { Model } from "./model.ts";

export type TaskKey = "diff" | "apply" | "discard" | "done" | "cancel" | "retry";
type Binding = { key: string; does: TaskKey; words: string; when(task: TaskView): boolean };

/** What keys do to the selected task, beside those that move. */
export const TASK_KEYS: readonly Binding[] = [
  { key: "v", does: "diff", words: "diff", when: hasWork },
  { key: "a", does: "apply", words: "apply", when: (task) => hasWork(task) && !hasProcess(task) && !task.applied },
  { key: "x", does: "discard", words: "discard", when: (task) => hasWork(task) && isOver(task) },
  { key: "D", does: "done", words: "done", when: (task) => task.state === "waiting" },
  { key: "r", does: "retry", words: "retry", when: isOver },
  { key: "X", does: "cancel", words: "cancel", when: (task) => !isOver(task) },
];

export const TASK_HINTS: [key: string, words: string, when: (model: Model) => boolean][] = [
  ["Enter", "answer", (model) => (model.task()?.asks.length ?? 0) > 0],
  ...TASK_KEYS.map(({ key, words, when }): [string, string, (model: Model) => boolean] => [
    key,
    words,
    (model) => {
      const task = model.task();
      return task !== undefined && when(task);
    },
  ]),
];
