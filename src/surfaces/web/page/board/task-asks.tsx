import { useEffect, useState } from "preact/hooks";
import { safeLine } from "../../../../core/text/text.ts";
import { askTitle } from "../../../../core/ask/title.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { AskBody } from "../inbox/ask-pane.tsx";
import { Feedback } from "./feedback.tsx";
import type { Forms } from "../form/forms.ts";
import type { Model, Snapshot } from "../model.ts";
import type { TaskModel } from "./task-model.ts";

type Props = { task: TaskView; tasks: TaskModel; model: Model; forms: Forms; snapshot: Snapshot };

/** What the task waits for, with the same form as in the inbox, and what became of the answers given here. */
export function TaskAsks({ task, tasks, model, forms, snapshot: { asks, settledHere } }: Props) {
  const [chosen, setChosen] = useState<string>();
  useEffect(() => {
    for (const id of task.asks) void model.look(id).catch(() => undefined);
  }, [task.asks.join()]);
  const open = task.asks.flatMap((id) => asks.get(id) ?? []).filter(({ outcome }) => outcome === undefined);
  // Pinned once shown: what is answered elsewhere stays, as its outcome, until the person goes on.
  const shown = (chosen === undefined ? undefined : asks.get(chosen)) ?? open[0];
  useEffect(() => {
    if (shown && chosen === undefined) setChosen(shown.id);
  }, [shown?.id]);
  const answered = settledHere.flatMap((id) => asks.get(id) ?? []).filter(({ origin }) => origin.task === task.id);
  const isMine = shown !== undefined && settledHere.includes(shown.id);

  return (
    <>
      <ol class="answered" aria-live="polite" aria-label="Just answered">
        {answered.slice(0, 3).map((ask) => (
          <li key={ask.id} class="said" data-mark={ask.sentence.slice(0, 1)}>
            {safeLine(ask.sentence, { max: 300 })}
          </li>
        ))}
      </ol>
      {open.length > 1 && <Choice open={open} shown={shown} choose={setChosen} />}
      {shown && !isMine && (
        <section class="asks" aria-label="Question">
          <AskBody
            key={shown.id}
            ask={shown}
            model={model}
            forms={forms}
            settled={() => setChosen(undefined)}
            isInTask
          />
        </section>
      )}
      {task.state === "waiting" && task.asks.length === 0 && <Feedback task={task} tasks={tasks} />}
    </>
  );
}

type ChoiceProps = { open: readonly AskView[]; shown: AskView | undefined; choose: (id: string) => void };

function Choice({ open, shown, choose }: ChoiceProps) {
  return (
    <ol class="steps" aria-label="Open questions of this task">
      {open.map((ask, i) => (
        <li key={ask.id}>
          <button type="button" aria-current={ask.id === shown?.id ? "true" : undefined} onClick={() => choose(ask.id)}>
            <span class="number">{i + 1}</span>
            {ask.kind === "question" && ask.questions[0]
              ? safeLine(headerOf(ask.questions[0]), { max: 24 })
              : askTitle(ask, { max: 24 })}
          </button>
        </li>
      ))}
    </ol>
  );
}
