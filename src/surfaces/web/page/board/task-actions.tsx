import { useEffect, useState } from "preact/hooks";
import type { TaskView } from "../../../../protocol/task.ts";
import type { TaskAction as Action, TaskModel } from "./task-model.ts";
import { hasProcess, isOver } from "../../../../core/task/task-state.ts";
import { hasWork } from "../../../../core/words/work-words.ts";

const WORDS: Record<Action, { name: string; sure: string }> = {
  done: { name: "Mark as Done", sure: "Stop the agent and mark as Done?" },
  retry: { name: "Retry", sure: "Start again from the beginning?" },
  cancel: { name: "Cancel", sure: "Cancel the task?" },
  apply: { name: "Apply", sure: "" },
  discard: { name: "Discard", sure: "Discard its work?" },
};

/** What has just appeared may lie under a finger that meant what was there before. */
const CALM_MS = 300;

/** What stops an agent's work takes a second press. */
export function TaskActions({ task, tasks }: { task: TaskView; tasks: TaskModel }) {
  const [asked, setAsked] = useState<Action>();
  const [busy, setBusy] = useState(false);
  const [isReady, setReady] = useState(false);
  const [problem, setProblem] = useState<string>();
  const offered: Action[] = [
    ...(hasWork(task) && !hasProcess(task) && task.state !== "queued" && !task.applied ? (["apply"] as const) : []),
    ...(isOver(task) ? (["retry"] as const) : (["done", "retry", "cancel"] as const)),
    ...(hasWork(task) && isOver(task) ? (["discard"] as const) : []),
  ];

  useEffect(() => {
    const timer = setTimeout(() => setReady(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);

  async function act(action: Action): Promise<void> {
    const needsSecond = action === "discard" || (action === "done" ? task.state === "in_progress" : !isOver(task));
    if (needsSecond && WORDS[action].sure !== "" && asked !== action) return setAsked(action);
    setBusy(true);
    setProblem(undefined);
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
          disabled={busy || !isReady}
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
