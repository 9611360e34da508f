import { visibleWidth } from "@earendil-works/pi-tui";
import { isParleys } from "../../core/ask/ask-state.ts";
import { proposalFor } from "../../core/words/pilot-line.ts";
import { recommendedAnswers } from "../../core/ask/recommended.ts";
import { needsPrompt } from "../../core/ask/session-state.ts";
import { safeLine } from "../../core/text/text.ts";
import type { Theme } from "../../dialog/theme.ts";
import { cells, ends } from "./cells.ts";
import { detailLines } from "./draw-detail.ts";
import { emptyLines, listLines } from "./draw-list.ts";
import { TASK_HINTS } from "./task-keys.ts";
import type { Model, Tab } from "./model.ts";
import { saidNow } from "./status-line.ts";

/** Below this there is room for the list or the detail, not for both. */
const BESIDE = 72;
const AIRY = 14;

export const hasRoomForBoth = (columns: number): boolean => columns >= BESIDE;

/** The whole screen, line by line. `prompt` is what is being typed, if anything. */
export function frame(
  model: Model,
  theme: Theme,
  size: { columns: number; rows: number },
  prompt: string | undefined,
): string[] {
  const { columns, rows } = size;
  const isAiry = rows >= AIRY;
  const rule = isAiry ? [theme.border("─".repeat(columns))] : [];
  const mistakes = mistakeLine(model, theme, columns);
  const height = Math.max(1, rows - 3 - mistakes.length - rule.length * 2);
  const { words, tone } = saidNow(model);
  const body = bodyLines(model, theme, columns, height);
  return [
    tabLine(model, theme, columns),
    ...mistakes,
    ...rule,
    ...Array.from({ length: height }, (_, i) => body[i] ?? ""),
    ...rule,
    theme[tone](cells(` ${words}`, columns)),
    prompt ?? hintLine(model, theme, columns),
  ];
}

function bodyLines(model: Model, theme: Theme, columns: number, height: number): string[] {
  const isEmpty = model.rowsOf(model.tab).length === 0;
  if (isEmpty) return emptyLines(model, theme, columns);
  if (!hasRoomForBoth(columns)) {
    const room = { width: columns, height };
    return model.readsDetail ? detailLines(model, theme, room) : listLines(model, theme, room);
  }
  const left = Math.min(76, Math.max(30, Math.floor(columns * 0.42)));
  const list = listLines(model, theme, { width: left, height });
  const detail = detailLines(model, theme, { width: columns - left - 3, height });
  return Array.from({ length: height }, (_, i) => {
    return `${cells(list[i] ?? "", left)} ${theme.border("│")} ${detail[i] ?? ""}`;
  });
}

/** One line, however many they are: `parley config` has them all. */
function mistakeLine({ mistakes }: Model, theme: Theme, columns: number): string[] {
  const [first, ...more] = mistakes;
  if (first === undefined) return [];
  const rest = more.length === 0 ? "" : ` (and ${more.length} more: parley config)`;
  return [theme.error(cells(` ✗ ${safeLine(first, { max: 300 })}${rest}`, columns))];
}

function tabLine(model: Model, theme: Theme, columns: number): string {
  const isNarrow = columns < 56;
  const tabs = model.tabs().map((tab) => {
    const count = tab === "waiting" ? model.countNow() : model.rowsOf(tab).length;
    const more = tab === "waiting" && !model.isComplete && count > 0 ? "+" : "";
    const name = `${isNarrow ? NAMES[tab].slice(0, 4) : NAMES[tab]} ${count}${more}`;
    return tab === model.tab ? theme.title(`[${name}]`) : theme.muted(` ${name} `);
  });
  const left = `${isNarrow ? "" : ` ${theme.title("Parley")}  `}${tabs.join(" ")}`;
  const facts = [
    ...(model.filter === "" ? [] : [theme.accent(`/${safeLine(model.filter, { max: 20 })}`)]),
    ...(model.marked.size === 0 ? [] : [theme.accent(`◆ ${model.markedAsks().length}`)]),
    model.away === undefined ? theme.ok("● live") : theme.error(safeLine(model.away, { max: 80 })),
  ];
  const right = `${facts.join("  ")} `;
  if (visibleWidth(left) + visibleWidth(right) < columns) return ends(left, right, columns);
  return model.away === undefined ? cells(left, columns) : cells(theme.error(` ${model.away}`), columns);
}

const NAMES: Record<Tab, string> = { waiting: "Waiting", settled: "Settled", sessions: "Sessions", tasks: "Tasks" };

/** As many as there is room for, the usual ones first; `?` is always there. */
function hintLine(model: Model, theme: Theme, columns: number): string {
  const hints = HINTS[model.tab].filter(([, , when]) => when?.(model) ?? true);
  let line = " ";
  for (const [key, words] of hints) {
    const next = `${line}${theme.accent(key)} ${theme.muted(words)}  `;
    if (visibleWidth(next) > columns - 8) break;
    line = next;
  }
  return ends(line, `${theme.accent("?")} ${theme.muted("help")} `, columns);
}

type Hint = [key: string, words: string, when?: (model: Model) => boolean];
const isAsk = (model: Model) => model.ask() !== undefined;
const hasAdvice = (model: Model) => {
  const ask = model.ask();
  return ask !== undefined && "answers" in recommendedAnswers(ask);
};
const hasProposal = (model: Model) => {
  const ask = model.ask();
  return ask !== undefined && proposalFor(ask) !== undefined;
};
const HINTS: Record<Tab, Hint[]> = {
  waiting: [
    ["R", "recommended for marked", ({ marked }) => marked.size > 0],
    ["y", "accept proposal", hasProposal],
    ["Enter", "answer", isAsk],
    ["r", "recommended", hasAdvice],
    ["d", "decline", (model) => isAsk(model) && !isParleys(model.ask() ?? { deliveries: [] })],
    ["s", "snooze", isAsk],
    ["Space", "mark", isAsk],
    ["t", "tmux", (model) => model.ask()?.origin.pane !== undefined],
    ["/", "filter"],
    ["Tab", "settled"],
    ["q", "quit"],
  ],
  settled: [
    ["/", "filter"],
    ["Tab", "sessions"],
    ["t", "tmux", (model) => model.ask()?.origin.pane !== undefined],
    ["q", "quit"],
  ],
  sessions: [
    ["Enter", "go there", (model) => model.session()?.pane !== undefined],
    ["d", "dismiss", (model) => needsPrompt(model.session() ?? {})],
    ["Tab", "tasks", ({ tasks }) => tasks.length > 0],
    ["Tab", "waiting", ({ tasks }) => tasks.length === 0],
    ["q", "quit"],
  ],
  tasks: [...TASK_HINTS, ["Tab", "waiting"], ["q", "quit"]],
};
