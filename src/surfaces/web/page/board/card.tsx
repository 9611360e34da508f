import { isOver } from "../../../../core/task/task-state.ts";
import { capitalised, safeLine } from "../../../../core/text/text.ts";
import {
  costWords,
  stateAge,
  stateName,
  toolWords,
  turnWords,
  waitingBadge,
} from "../../../../core/words/task-words.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { taskPath } from "../route.ts";

export function Card({ task, now }: { task: TaskView; now: number }) {
  const { order, state, tool, diff, reason } = task;
  const name = safeLine(order.name, { max: 80 });
  const prompt = safeLine(order.prompt, { max: 200 });
  const used = [turnWords(task), costWords(task)].filter(Boolean).join(" · ");
  return (
    <li>
      <a class="card" href={taskPath(task.id)} data-state={state}>
        <span class="top">
          <strong>{name}</strong>
          <time>{stateAge(task, now)}</time>
        </span>
        {prompt !== name && <span class="prompt">{prompt}</span>}
        {state === "waiting" && (
          <span class="badge" data-why={task.waitingFor}>
            {waitingBadge(task)}
          </span>
        )}
        {(state === "failed" || state === "cancelled") && (
          <span class="badge ended">{capitalised(stateName(state))}</span>
        )}
        {state === "in_progress" && <span class="now">{tool ? toolWords(tool) : "thinking"}</span>}
        {isOver(task) && reason !== undefined && <span class="prompt">{safeLine(reason, { max: 120 })}</span>}
        <span class="facts">
          <span>{safeLine(task.project ?? order.cwd, { max: 40 })}</span>
          {used !== "" && <span>{used}</span>}
          {diff && diff.files > 0 && (
            <span>
              <b class="added">+{diff.added}</b> <b class="removed">−{diff.removed}</b>
            </span>
          )}
        </span>
      </a>
    </li>
  );
}
