import { visibleWidth } from "@earendil-works/pi-tui";
import { proposalFor } from "../../../core/words/pilot-line.ts";
import { recommendedAnswers } from "../../../core/ask/answer/recommended.ts";
import { needsPrompt } from "../../../core/ask/session-state.ts";
import { safeLine } from "../../../core/text/text.ts";
import { declineWords, stopWords } from "../../../core/words/outcome/refusal-words.ts";
import type { Theme } from "../../../dialog/theme.ts";
import type { Size } from "./box.ts";
import { isClaimed } from "../../../core/hub-ask.ts";
import { mayAnswer } from "../../../core/hub-role.ts";
import { asHub, canTakeBack, isWaiting } from "../hub/hub-ask.ts";
import { cells, ends } from "./cells.ts";
import { detailLines } from "./draw-detail.ts";
import { emptyLines, linesEach, listLines } from "./draw-list.ts";
import { TASK_HINTS } from "../task-keys.ts";
import type { Model, Tab } from "../model.ts";
import { hang } from "../../terminal/columns.ts";
import { saidNow } from "./status-line.ts";

/** Below this there is room for the list or the detail, not for both. */
const BESIDE = 72;
const MOST_SAID = 5;
const AIRY = 14;

export const hasRoomForBoth = (columns: number): boolean => columns >= BESIDE;

/** The whole screen, line by line. `prompt` is what is being typed, if anything. */
export function frame(model: Model, theme: Theme, size: Size, prompt: string | undefined): string[] {
  const { columns } = size;
  const { isAiry, height } = roomIn(model, size);
  const rule = isAiry ? [theme.border("─".repeat(columns))] : [];
  const mistakes = mistakeLine(model, theme, columns);
  const body = bodyLines(model, theme, columns, height);
  return [
    tabLine(model, theme, columns),
    ...mistakes,
    ...rule,
    ...Array.from({ length: height }, (_, i) => body[i] ?? ""),
    ...rule,
    ...saidLines(model, size).map((line) => theme[saidNow(model).tone](line)),
    prompt ?? hintLine(model, theme, columns),
  ];
}

function roomIn(model: Model, size: Size) {
  const { rows } = size;
  const isAiry = rows >= AIRY;
  const top = 1 + Math.min(1, model.mistakes.length) + (isAiry ? 1 : 0);
  const below = (isAiry ? 2 : 1) + saidLines(model, size).length;
  return { isAiry, top, height: Math.max(1, rows - top - below) };
}

/** What went wrong is said to its end where there is room for it; everything else is one line. */
function saidLines(model: Model, { columns, rows }: Size): string[] {
  const { words, tone } = saidNow(model);
  const lines = tone === "error" && rows >= AIRY ? hang(" ", words, columns - 1) : [];
  if (lines.length < 2) return [cells(` ${words}`, columns)];
  const shown = lines.slice(0, MOST_SAID);
  if (lines.length > MOST_SAID)
    shown[MOST_SAID - 1] = ` ${lines
      .slice(MOST_SAID - 1)
      .join("")
      .trim()}`;
  return shown.map((line) => cells(line, columns));
}

/** What stands at a place of the screen. */
export type Hit =
  | { type: "tab"; tab: Tab }
  | { type: "row"; index: number }
  | { type: "option"; number: number }
  | { type: "detail" }
  | { type: "key"; name: string };

export function hitAt(model: Model, size: Size, { line, column }: { line: number; column: number }): Hit | undefined {
  const { top, height } = roomIn(model, size);
  if (line === 0) return tabAt(model, size.columns, column);
  if (line === size.rows - 1) return hintAt(model, size.columns, column);
  const place = line - top;
  const rows = model.rowsOf(model.tab);
  if (place < 0 || place >= height || rows.length === 0) return undefined;
  const isBeside = hasRoomForBoth(size.columns);
  const left = isBeside ? listWidth(size.columns) : size.columns;
  if (isBeside ? column >= left : model.readsDetail) {
    const number = model.optionLines.get(model.detailTop + place);
    return number === undefined ? { type: "detail" } : { type: "option", number };
  }
  const index = model.first[model.tab] + Math.floor(place / linesEach({ width: left, height }));
  return index < rows.length ? { type: "row", index } : undefined;
}

function bodyLines(model: Model, theme: Theme, columns: number, height: number): string[] {
  const isEmpty = model.rowsOf(model.tab).length === 0;
  if (isEmpty) return emptyLines(model, theme, columns);
  if (!hasRoomForBoth(columns)) {
    const room = { width: columns, height };
    return model.readsDetail ? detailLines(model, theme, room) : listLines(model, theme, room);
  }
  const left = listWidth(columns);
  const list = listLines(model, theme, { width: left, height });
  const detail = detailLines(model, theme, { width: columns - left - 3, height });
  return Array.from({ length: height }, (_, i) => {
    return `${cells(list[i] ?? "", left)} ${theme.border("│")} ${detail[i] ?? ""}`;
  });
}

const listWidth = (columns: number) => Math.min(76, Math.max(30, Math.floor(columns * 0.42)));

/** One line, however many they are: `parley config` has them all. */
function mistakeLine({ mistakes }: Model, theme: Theme, columns: number): string[] {
  const [first, ...more] = mistakes;
  if (first === undefined) return [];
  const rest = more.length === 0 ? "" : ` (and ${more.length} more: parley config)`;
  return [theme.error(cells(` ✗ ${safeLine(first, { max: 300 })}${rest}`, columns))];
}

const isNarrow = (columns: number) => columns < 56;

function tabNames(model: Model, columns: number): string[] {
  return model.tabs().map((tab) => {
    const count = tab === "waiting" ? model.countNow() : model.rowsOf(tab).length;
    const more = tab === "waiting" && !model.isComplete && count > 0 ? "+" : "";
    const name = `${isNarrow(columns) ? NAMES[tab].slice(0, 4) : NAMES[tab]} ${count}${more}`;
    return tab === model.tab ? `[${name}]` : ` ${name} `;
  });
}

function tabAt(model: Model, columns: number, column: number): Hit | undefined {
  let end = isNarrow(columns) ? 0 : brandOf(model).length;
  for (const [i, name] of tabNames(model, columns).entries()) {
    const start = end;
    end += name.length + 1;
    const tab = model.tabs()[i];
    if (tab && column >= start && column < end - 1) return { type: "tab", tab };
  }
  return undefined;
}

const brandOf = ({ hub }: Model) => (hub ? " Parley hub  " : " Parley  ");

function tabLine(model: Model, theme: Theme, columns: number): string {
  const tabs = tabNames(model, columns).map((name) => (name.startsWith("[") ? theme.title(name) : theme.muted(name)));
  const left = `${isNarrow(columns) ? "" : theme.title(brandOf(model))}${tabs.join(" ")}`;
  const facts = [
    ...(model.filter === "" ? [] : [theme.accent(`/${safeLine(model.filter, { max: 20 })}`)]),
    ...(model.marked.size === 0 ? [] : [theme.accent(`◆ ${model.markedAsks().length}`)]),
    model.away === undefined ? theme.ok("● live") : theme.error(safeLine(model.away, { max: 80 })),
  ];
  const right = `${facts.join("  ")} `;
  if (visibleWidth(left) + visibleWidth(right) < columns) return ends(left, right, columns);
  return model.away === undefined
    ? cells(left, columns)
    : cells(theme.error(` ${safeLine(model.away, { max: 300 })}`), columns);
}

const NAMES: Record<Tab, string> = {
  waiting: "Waiting",
  settled: "Settled",
  sessions: "Sessions",
  tasks: "Tasks",
  grants: "Grants",
};

/** As many as there is room for, the usual ones first; `?` is always there. */
function hintLine(model: Model, theme: Theme, columns: number): string {
  const hints = fittingHints(model, columns).map(({ key, words }) => `${theme.accent(key)} ${theme.muted(words)}  `);
  return ends(` ${hints.join("")}`, `${theme.accent("?")} ${theme.muted("help")} `, columns);
}

function fittingHints(model: Model, columns: number): { key: string; words: string; start: number; end: number }[] {
  const all = model.hub ? HUB_HINTS : HINTS[model.tab];
  const hints = all.filter(([, , when]) => when?.(model) ?? true);
  let start = 1;
  const placed = hints.map(([key, named]) => {
    const words = typeof named === "string" ? named : named(model);
    const hint = { key, words, start, end: start + visibleWidth(`${key} ${words}`) };
    start = hint.end + 2;
    return hint;
  });
  const last = placed.findIndex(({ end }) => end + 2 > columns - 8);
  return last === -1 ? placed : placed.slice(0, last);
}

function hintAt(model: Model, columns: number, column: number): Hit | undefined {
  if (column >= columns - 7) return { type: "key", name: "?" };
  const hint = fittingHints(model, columns).find(({ start, end }) => column >= start && column < end);
  return hint && { type: "key", name: hint.key.length === 1 ? hint.key : hint.key.toLowerCase() };
}

type Hint = [key: string, words: string | ((model: Model) => string), when?: (model: Model) => boolean];
const isAsk = (model: Model) => model.ask() !== undefined;
const hasAdvice = (model: Model) => {
  const ask = model.ask();
  return ask !== undefined && "answers" in recommendedAnswers(ask);
};
const hasProposal = (model: Model) => {
  const ask = model.ask();
  return ask !== undefined && proposalFor(ask) !== undefined;
};
const declineName = (model: Model) => {
  const ask = model.ask();
  return ask && declineWords(ask)?.name.toLowerCase();
};
const canStop = (model: Model) => {
  const ask = model.ask();
  return ask !== undefined && stopWords(ask) !== undefined;
};
/** An answer of theirs is on its way, or is one of two that are needed. */
const mayNow = (model: Model) => {
  const [ask, me] = [model.ask(), model.hub];
  return ask !== undefined && me !== undefined && isWaiting(ask) && mayAnswer(me.grants, ask);
};
const claimName = (model: Model) => {
  const ask = model.ask();
  return isClaimed((ask && asHub(ask)) ?? {}, model.now(), model.hub?.id) ? "let go" : "I am on it";
};
const HUB_HINTS: Hint[] = [
  ["R", "recommended for marked", ({ marked }) => marked.size > 0],
  ["Enter", "answer", mayNow],
  ["r", "recommended", (model) => mayNow(model) && hasAdvice(model)],
  ["i", claimName, mayNow],
  ["u", "take back", (model) => canTakeBack(model.ask(), model.hub)],
  ["d", (model) => declineName(model) ?? "", (model) => mayNow(model) && declineName(model) !== undefined],
  ["Space", "mark", mayNow],
  ["x", "stop", (model) => mayNow(model) && canStop(model)],
  ["/", "filter"],
  ["Tab", "settled", ({ tab }) => tab === "waiting"],
  ["Tab", "waiting", ({ tab }) => tab === "settled"],
  ["q", "quit"],
];
const HINTS: Record<Tab, Hint[]> = {
  waiting: [
    ["A", "approve marked", (model) => model.markedAsks().some(({ kind }) => kind === "approval")],
    ["R", "recommended for marked", ({ marked }) => marked.size > 0],
    ["y", "accept proposal", hasProposal],
    ["Enter", "answer", isAsk],
    ["r", "recommended", hasAdvice],
    ["d", (model) => declineName(model) ?? "", (model) => declineName(model) !== undefined],
    ["w", "allow for a while", (model) => model.ask()?.call !== undefined],
    ["s", "snooze", isAsk],
    ["Space", "mark", isAsk],
    ["x", "stop", canStop],
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
  grants: [
    ["Enter", "change", (model) => model.grant() !== undefined],
    ["x", "revoke", (model) => model.grant() !== undefined],
    ["Tab", "waiting"],
    ["q", "quit"],
  ],
  tasks: [...TASK_HINTS, ["Tab", "waiting"], ["q", "quit"]],
};
