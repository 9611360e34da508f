import { useState } from "preact/hooks";
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
import { workWord } from "../../../../core/words/work-words.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { taskPath } from "../route.ts";
import type { TaskModel } from "./task-model.ts";

export function Card({ task, now, tasks }: { task: TaskView; now: number; tasks: TaskModel }) {
  const { order, state, tool, diff, reason } = task;
  const work = workWord(task);
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
        {work !== "" && <span class="badge taken">{capitalised(work)}</span>}
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
      {state === "waiting" && <DoneButton task={task} name={name} tasks={tasks} />}
    </li>
  );
}

/** It takes a second press: a card is easily hit. */
function DoneButton({ task, name, tasks }: { task: TaskView; name: string; tasks: TaskModel }) {
  const [words, setWords] = useState("Done");
  async function press(): Promise<void> {
    if (words === "Done") return setWords("Mark as done?");
    await tasks.act(task.id, "done").catch((error: unknown) => setWords(String(error)));
  }
  return (
    <button
      class="button done"
      type="button"
      aria-label={`${words} ${name}`}
      onClick={() => void press()}
      onBlur={() => setWords("Done")}
    >
      {words}
    </button>
  );
}
