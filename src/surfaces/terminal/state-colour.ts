import type { Task } from "../../core/task/task.ts";
import type { Style } from "./terminal.ts";

export function stateColour({ state }: Pick<Task, "state">, style: Style): (text: string) => string {
  const plain = (text: string) => text;
  const colours = { waiting: style.yellow, in_progress: style.cyan, done: style.green, failed: style.red };
  return state in colours ? colours[state as keyof typeof colours] : state === "cancelled" ? style.dim : plain;
}
