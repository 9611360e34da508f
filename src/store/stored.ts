import type { Ask } from "../core/ask/ask.ts";
import { withEffects } from "../core/ask/before-effects.ts";
import type { Task } from "../core/task/task.ts";
import { isParked } from "../core/task/task-state.ts";

// Not parsed by their schemas: a store wrote every row from something that was, and reads one for each thing it does.

/** The one way to an Ask that is stored, whoever wrote it. */
export const readAsk = ({ data }: { data: string }): Ask => withEffects(JSON.parse(data) as Ask);

/** Earlier versions called each task parked whose process had ended, also one that was over. */
export function readTask({ data }: { data: string }): Task {
  const stored = JSON.parse(data) as Task;
  return { ...stored, parked: isParked(stored) };
}
