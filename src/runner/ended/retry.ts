import type { Task } from "../../core/task/task.ts";
import { isOver } from "../../core/task/task-state.ts";
import { createSerial } from "../../machine/time/serial.ts";
import type { Over } from "./over.ts";
import type { Tasks } from "../tasks.ts";

type Deps = { tasks: Tasks; over: Over; wordsFor(task: Task): Promise<string> };
export type Retry = (task: Task, reason: string, once?: string) => Promise<Task>;

/**
 * A task from the beginning, whatever it does now. `once`: the same request again is done already.
 * Contract: its end, its new beginning and what people said that its agent has not heard are one write; only then the
 * agent is ended and its questions are withdrawn.
 */
export function createRetry({ tasks, over, wordsFor }: Deps): Retry {
  const serial = createSerial();
  return ({ id }, reason, once) =>
    serial(id, async () => {
      const task = await tasks.get(id);
      if (once !== undefined && task.retriedFor === once) return task;
      const words = await wordsFor(task);
      const end = { type: "task.ended", state: "cancelled", reason } as const;
      const again = {
        type: "task.retried",
        ...(words !== "" && { words }),
        ...(once !== undefined && { once }),
      } as const;
      await tasks.change(id, (current) => (isOver(current) ? [again] : [end, again]));
      await over.end(task);
      return tasks.get(id);
    });
}
