import { useState } from "preact/hooks";
import type { TaskView } from "../../../protocol/task.ts";
import type { TaskModel } from "./task-model.ts";
import { isOver } from "./task-words.ts";

type Action = "retry" | "cancel" | "done";
const WORDS: Record<Action, { name: string; sure: string }> = {
  done: { name: "Mark as Done", sure: "Mark as Done" },
  retry: { name: "Retry", sure: "Start again from the beginning?" },
  cancel: { name: "Cancel", sure: "Cancel the task?" },
};

/** What stops an agent's work takes a second press. */
export function TaskActions({ task, tasks }: { task: TaskView; tasks: TaskModel }) {
  const [asked, setAsked] = useState<Action>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const offered: Action[] = isOver(task) ? ["retry"] : ["done", "retry", "cancel"];

  async function act(action: Action): Promise<void> {
    const needsSecond = !isOver(task) && action !== "done";
    if (needsSecond && asked !== action) return setAsked(action);
    setBusy(true);
    try {
      await tasks.act(task.id, action);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
    setAsked(undefined);
  }

  return (
    <div class="actions">
      {offered.map((action) => (
        <button
          key={action}
          class={asked === action ? "button danger" : "button"}
          type="button"
          disabled={busy}
          onClick={() => void act(action)}
          onBlur={() => setAsked(undefined)}
        >
          {asked === action ? WORDS[action].sure : WORDS[action].name}
        </button>
      ))}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
