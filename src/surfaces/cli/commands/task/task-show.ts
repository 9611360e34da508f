import { giverWords } from "../../../../core/words/task-event-words.ts";
import { duration } from "../../../../core/words/time.ts";
import { shortId } from "../../../../core/id.ts";
import { hasProcess, isOver } from "../../../../core/task/task-state.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { atMost, hang } from "../../../terminal/columns.ts";
import { counted, exactDollars } from "../../../../core/words/number.ts";
import { jsonLine } from "../../json.ts";
import { questionLines } from "../../../terminal/question.ts";
import { defineCommand } from "../../command-line/define.ts";
import { taskTimeline } from "../../../terminal/task-timeline.ts";
import {
  costWords,
  diffWords,
  nowWords,
  stateWords,
  tokenWords,
  turnWords,
} from "../../../../core/words/task-words.ts";
import { hasWork, restoreWords, workWord } from "../../../../core/words/work-words.ts";
import { sandboxWords } from "../../../../core/words/sandbox-words.ts";
import { stateColour } from "../../../terminal/state-colour.ts";
import type { Page } from "../../../terminal/terminal.ts";

const LONGEST = { prompt: 2000, lines: 12, said: 4000, paths: 20 };

export const command = defineCommand({
  about:
    "What a task is, what it waits for and how to answer it, what it used, changed and said last, and its history: who did what, when.",
  positionals: { id: { of: "task" } },
  needs: "Give one id: parley task show <id>",
  async run({ id, json }, { terminal, client }) {
    const task = await client.call("getTask", { id });
    if (json) return (terminal.out(jsonLine(task)), 0);
    const [asks, { events }] = await Promise.all([
      Promise.all(task.asks.map((ask) => client.call("getAsk", { id: ask }))),
      client.call("readLog", { query: { task: task.id, tail: "true", limit: 200 } }),
    ]);
    const parts = [
      headline(task, terminal),
      facts(task, terminal),
      ...asks.flatMap((ask) => askedLines(task, ask, terminal)),
      // What an escalation shows need not stand there twice.
      asks.some(({ questions }) => questions.some(({ body }) => body)) ? [] : said(task, terminal),
      taskTimeline(events, terminal),
      hints(task, terminal),
    ].filter((part) => part.length > 0);
    terminal.out(`${parts.map((part) => part.join("\n")).join("\n\n")}\n`);
    return 0;
  },
});

function headline(task: TaskView, { style }: Page): string[] {
  const state = stateColour(task, style)(stateWords(task));
  return [`${style.bold(shortId(task.id))}  ${state}  ${style.bold(safeLine(task.order.name, { max: 80 }))}`];
}

function facts(task: TaskView, page: Page): string[] {
  const { order, workdir, usage, run, attempt, diff, session } = task;
  const limit = task.budgetUsd ?? order.budgetUsd;
  const cost = limit === undefined ? costWords(task) : `${exactDollars(usage.costUsd)} of ${exactDollars(limit)}`;
  const used = [
    ...(usage.turns > 0 ? [turnWords(task), `${tokenWords(task) || 0} tokens`] : []),
    ...(usage.costUsd > 0 || limit !== undefined ? [cost] : []),
    task.startedAt === undefined ? "not started" : duration(task.elapsedMs),
  ];
  const runs = [
    counted(run, "run"),
    attempt > 1 ? `attempt ${attempt}` : "",
    hasProcess(task) ? "running" : "no process",
  ];
  const rows: [string, string | false | undefined][] = [
    ["Prompt", atMost(safeText(order.prompt, { max: LONGEST.prompt }).split("\n"), LONGEST.lines).join("\n")],
    ["Project", task.project === undefined ? undefined : safeLine(task.project, { max: 80 })],
    ["Folder", safeLine(task.cleared ? order.cwd : (workdir?.path ?? order.cwd))],
    ["Restore", task.cleared?.commit && restoreWords(task.cleared.commit)],
    ["Branch", !task.cleared && workdir && `${safeLine(workdir.branch)} from ${workdir.base.slice(0, 8)}`],
    ["Changed", diff && [[diffWords(diff), workWord(task)].filter(Boolean).join(" · "), ...pathLines(diff)].join("\n")],
    ["Sandbox", order.sandbox && sandboxWords(order.sandbox)],
    ["By", task.by && giverWords(task.by)],
    ["Gate", order.gate === undefined ? undefined : safeLine(order.gate)],
    ["Used", used.join(" · ")],
    [
      "Agent",
      [
        safeLine(order.agent),
        order.model && safeLine(order.model),
        session && `session ${session.slice(0, 8)}`,
        run > 0 && runs.filter(Boolean).join(", "),
      ]
        .filter(Boolean)
        .join(" · "),
    ],
    ["Now", isOver(task) || task.asks.length > 0 ? undefined : nowWords(task, Date.now()) || undefined],
    ["Reason", task.reason === undefined ? undefined : safeLine(task.reason)],
  ];
  return rows.flatMap(([name, text]) =>
    text === undefined || text === false ? [] : hang(`  ${page.style.dim(name.padEnd(8))} `, text, page.width),
  );
}

function pathLines({ files, paths = [] }: NonNullable<TaskView["diff"]>): string[] {
  const shown = paths.slice(0, LONGEST.paths);
  const lines = shown.map(({ path, added, removed }) => `${safeLine(path, { max: 120 })}  +${added} -${removed}`);
  return files > shown.length ? [...lines, `… ${counted(files - shown.length, "more file")}`] : lines;
}

function askedLines(task: TaskView, ask: AskView, { style, width }: Page): string[][] {
  const choices = ask.questions.map(({ multiSelect }) => (multiSelect ? "1,2" : "1")).join(" ");
  const hint = `Answer: parley task answer ${shortId(task.id)} ${choices}, or -m "own words"`;
  return [...questionLines(ask, { style, width }), hang("", hint, width, style.dim)];
}

function said({ said: text = "" }: TaskView, { style, width }: Page): string[] {
  const lines = hang("  ", safeText(text, { max: LONGEST.said }).trim(), width, style.dim);
  return text.trim() === "" ? [] : ["It said last:", ...lines];
}

function hints(task: TaskView, { style }: Page): string[] {
  const id = shortId(task.id);
  const next = isOver(task) ? `again: parley task retry ${id}` : `stop it: parley task cancel ${id}`;
  const work = `Its work: parley task diff, apply or discard ${id}`;
  const isReady = hasWork(task) && !task.applied && !hasProcess(task);
  if (task.run === 0) return [];
  return [...(isReady ? [work] : []), `What it did: parley task logs ${id}; ${next}`].map(style.dim);
}
