import { isOver } from "../../../../core/task/task-state.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { taskPath } from "../route.ts";
import { age, badge, cost, lastPart, STATES } from "./task-words.ts";

export function Card({ task, now }: { task: TaskView; now: number }) {
  const { order, state, tool, diff, reason } = task;
  const name = safeLine(order.name, { max: 80 });
  const prompt = safeLine(order.prompt, { max: 200 });
  return (
    <li>
      <a class="card" href={taskPath(task.id)} data-state={state}>
        <span class="top">
          <strong>{name}</strong>
          <time>{age(task, now)}</time>
        </span>
        {prompt !== name && <span class="prompt">{prompt}</span>}
        {state === "waiting" && (
          <span class="badge" data-why={task.waitingFor}>
            {badge(task)}
          </span>
        )}
        {(state === "failed" || state === "cancelled") && <span class="badge ended">{STATES[state]}</span>}
        {state === "in_progress" && (
          <span class="now">{tool ? safeLine(`${tool.name} ${tool.summary}`, { max: 90 }) : "thinking"}</span>
        )}
        {isOver(task) && reason !== undefined && <span class="prompt">{safeLine(reason, { max: 120 })}</span>}
        <span class="facts">
          <span>{safeLine(lastPart(order.cwd), { max: 40 })}</span>
          {cost(task) !== "" && <span>{cost(task)}</span>}
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
