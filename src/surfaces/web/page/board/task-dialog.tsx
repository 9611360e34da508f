import { useEffect } from "preact/hooks";
import { capitalised, safeLine, safeText } from "../../../../core/text/text.ts";
import { isOver } from "../../../../core/task/task-state.ts";
import { resumeWords, stateAge, stateName, toolWords, waitingBadge } from "../../../../core/words/task-words.ts";
import { appliedWords, hasWork, restoreWords, workWord } from "../../../../core/words/work-words.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import type { Forms } from "../form/forms.ts";
import { Modal } from "../modal.tsx";
import type { Model, Snapshot } from "../model.ts";
import { useNow } from "../settings/subscribe.ts";
import { TaskActions } from "./task-actions.tsx";
import { TaskAsks } from "./task-asks.tsx";
import { TaskDiff } from "./task-diff.tsx";
import { TaskFacts } from "./task-facts.tsx";
import { TaskLog } from "./task-log.tsx";
import type { TaskModel } from "./task-model.ts";
import { TaskTimeline } from "./task-timeline.tsx";

type Props = { task: TaskView; tasks: TaskModel; model: Model; forms: Forms; snapshot: Snapshot };

export function TaskDialog({ task, tasks, model, forms, snapshot }: Props) {
  const now = useNow(1000);
  const { order, state, tool, reason } = task;
  const name = safeLine(order.name, { max: 120 });
  // A list does not say which files were changed.
  useEffect(() => tasks.heard(task.id), [task.id]);
  return (
    <Modal name="task" title={name}>
      <header>
        <h1>{name}</h1>
        <p class="state" data-state={state}>
          <strong>{capitalised(stateName(state))}</strong>
          {state === "waiting" && (
            <span class="badge" data-why={task.waitingFor}>
              {waitingBadge(task)}
            </span>
          )}
          <time>{stateAge(task, now)}</time>
          {state === "in_progress" && tool && <span class="now">{toolWords(tool)}</span>}
          {state === "waiting" && task.resumeAt !== undefined && <span>{resumeWords(task.resumeAt, now)}</span>}
          {workWord(task) !== "" && <span class="badge taken">{capitalised(workWord(task))}</span>}
          {isOver(task) && reason !== undefined && <span>{safeLine(reason, { max: 200 })}</span>}
        </p>
        <TaskActions key={state} task={task} tasks={tasks} />
        {task.applied && <p class="dim">{capitalised(appliedWords(task.applied))}</p>}
        {task.cleared?.commit !== undefined && <p class="dim">To restore it: {restoreWords(task.cleared.commit)}</p>}
      </header>
      <div class="body-of-task">
        <div class="work">
          <TaskAsks task={task} tasks={tasks} model={model} forms={forms} snapshot={snapshot} />
          {hasWork(task) && <TaskDiff task={task} tasks={tasks} />}
          <section aria-label="Log">
            <h2>Log</h2>
            <TaskLog task={task} />
          </section>
        </div>
        <aside>
          <section aria-label="Prompt">
            <h2>Prompt</h2>
            <pre class="prompt" tabIndex={0}>
              {safeText(order.prompt, { max: 20_000 })}
            </pre>
          </section>
          <TaskFacts task={task} now={now} />
          <section aria-label="Timeline">
            <h2>Timeline</h2>
            <TaskTimeline task={task} />
          </section>
        </aside>
      </div>
    </Modal>
  );
}
