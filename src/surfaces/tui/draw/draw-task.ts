import { isOver } from "../../../core/task/task-state.ts";
import { safeLine, safeText } from "../../../core/text/text.ts";
import {
  costWords,
  diffWords,
  nowWords,
  stateAge,
  stateWords,
  tokenWords,
  turnWords,
} from "../../../core/words/task-words.ts";
import { sandboxWords } from "../../../core/words/sandbox-words.ts";
import { restoreWords, workWord } from "../../../core/words/work-words.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { TaskView } from "../../../protocol/task.ts";
import { hang } from "../../terminal/columns.ts";
import { stateColour } from "../../terminal/state-colour.ts";
import type { Page } from "../../terminal/terminal.ts";
import { styleOf } from "./theme-style.ts";
import type { Row } from "../row.ts";

const STATES = ["waiting", "in_progress", "queued"];

/** Those that wait first, then what runs and is queued, then what ended, newest first. */
export function inTaskOrder(tasks: readonly TaskView[]): TaskView[] {
  const place = (task: TaskView) => (isOver(task) ? STATES.length : STATES.indexOf(task.state));
  return tasks.toSorted((a, b) => place(a) - place(b) || b.createdAt - a.createdAt);
}

export function taskRow(task: TaskView, now: number, theme: Theme): Row {
  const state = stateColour(task, styleOf(theme))(stateWords(task));
  const work = workWord(task);
  return {
    title: safeLine(task.order.name, { max: 80 }),
    brief: [state, ...(work ? [work] : []), stateAge(task, now)].join(" · "),
    about: [state, stateAge(task, now), ...(work ? [work] : []), nowWords(task, now)].filter(Boolean).join(" · "),
    mark: task.state === "waiting" ? "●" : " ",
  };
}

export function taskLines(task: TaskView, now: number, page: Page): string[] {
  const { order, workdir, diff, said, cleared } = task;
  const used = [turnWords(task), tokenWords(task) && `${tokenWords(task)} tokens`, costWords(task)];
  const work = [diff ? diffWords(diff) : "", workWord(task)].filter(Boolean).join(" · ");
  const facts: [string, string][] = [
    ["State", `${stateWords(task)} (${stateAge(task, now)})`],
    ["Now", isOver(task) ? "" : nowWords(task, now)],
    ["Changed", work],
    ["Restore", cleared?.commit === undefined ? "" : restoreWords(cleared.commit)],
    ["Folder", cleared ? order.cwd : (workdir?.path ?? order.cwd)],
    ["Branch", cleared ? "" : (workdir?.branch ?? "")],
    ["Sandbox", order.sandbox ? sandboxWords(order.sandbox) : ""],
    ["Used", used.filter(Boolean).join(" · ")],
    ["Reason", task.reason ?? ""],
  ];
  return [
    ...hang("", safeText(order.prompt, { max: 1000 }), page.width, page.style.bold),
    "",
    ...facts.flatMap(([name, text]) =>
      text === "" ? [] : hang(page.style.dim(name.padEnd(9)), safeLine(text, { max: 300 }), page.width),
    ),
    ...(said === undefined ? [] : ["", ...hang("", safeText(said, { max: 3000 }).trim(), page.width)]),
  ];
}
