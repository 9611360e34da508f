import type { LogEvent } from "../../core/ask/event.ts";
import { shortId } from "../../core/id.ts";
import { taskHistory } from "../../core/words/task-event-words.ts";
import { clock } from "../../core/words/time.ts";
import { hang } from "./columns.ts";
import type { Page } from "./terminal.ts";

/** Who, what, when; the id of the question at the end of what happened to it. */
export function taskTimeline(events: readonly LogEvent[], { style, width }: Page): string[] {
  return taskHistory(events).flatMap(({ at, words, ask }) =>
    hang(`${style.dim(clock(at))}  `, ask === undefined ? words : `${words} (${shortId(ask)})`, width),
  );
}
