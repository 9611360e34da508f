import { useState } from "preact/hooks";
import type { TaskView } from "../../../../protocol/task.ts";
import type { TaskModel } from "./task-model.ts";

/** For a task that waits and asks nothing. */
export function Feedback({ task, tasks }: { task: TaskView; tasks: TaskModel }) {
  const [message, setMessage] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function submit(): Promise<void> {
    if (busy) return;
    if (message.trim() === "") return setProblem("No text entered.");
    setBusy(true);
    try {
      await tasks.feedback(task.id, message.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  }

  return (
    <form class="feedback" onSubmit={(event) => (event.preventDefault(), void submit())}>
      <label>
        Provide Feedback
        <textarea
          rows={5}
          maxLength={10_000}
          placeholder="Type your response..."
          value={message}
          onInput={(event) => (setMessage(event.currentTarget.value), setProblem(undefined))}
        />
      </label>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <div class="actions">
        <button class="button primary" type="submit" disabled={busy}>
          Submit Feedback
        </button>
      </div>
    </form>
  );
}
