import { useEffect, useState } from "preact/hooks";
import type { LogEvent } from "../../../../core/ask/event.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { taskHistory } from "../../../../core/words/task-event-words.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { call } from "../api.ts";

const MOST = 1000;

/** What happened to the task and to what it asked, its end where that is too much: when, and by whom. */
export function TaskTimeline({ task }: { task: TaskView }) {
  const [events, setEvents] = useState<readonly LogEvent[]>([]);
  useEffect(() => {
    let isLeft = false;
    call("readLog", { query: { task: task.id, tail: "true", limit: MOST } }).then(
      (found) => !isLeft && setEvents(found.events),
      () => undefined,
    );
    return () => void (isLeft = true);
  }, [task]);
  const [first] = events;
  return (
    <ol class="timeline">
      {first && first.type !== "task.created" && <li class="dim">Earlier events are not shown.</li>}
      {taskHistory(events).map(({ at, words }) => (
        <li>
          <time dateTime={new Date(at).toISOString()}>{when(at)}</time>
          <span>{safeLine(words, { max: 300 })}</span>
        </li>
      ))}
    </ol>
  );
}

function when(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? time : `${date.toLocaleDateString([], { day: "numeric", month: "short" })} ${time}`;
}
