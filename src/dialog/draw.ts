import { answerLines } from "./answer-view.ts";
import type { DialogState } from "./dialog-state.ts";
import { bottomLine, collapsedLine, concludedLines, titleLine } from "./frame.ts";
import { headLines } from "./head-view.ts";
import { helpLines, helpOf, keyAt } from "./help.ts";
import { isCancel, rowOrder } from "../core/form/rows.ts";
import type { Fact } from "../core/fact/fact.ts";
import { reviewLines } from "./review-view.ts";
import { dialogWidth, INDENT, innerWidth, type Room, type Size } from "./room.ts";
import type { Theme } from "./theme.ts";
import { clipped, type Viewport, viewport, wrapped } from "./wrap.ts";

/** What stands at a place: a row of the list, a key that is named, or the text to read above them. */
export type Hit = { type: "row"; row: number } | { type: "key"; name: string } | { type: "head" };
export type Drawing = {
  lines: string[];
  scroll: DialogState["scroll"];
  at: (line: number, column: number) => Hit | undefined;
};
/** `isProse`: what the question is about is markdown, not a command or a change. */
export type Look = {
  context: string;
  facts: readonly Fact[];
  isProse: boolean;
  /** Keys of the host's, as the help names them. */
  ways: readonly string[];
  focused: boolean;
  theme: Theme;
};

/** From this height on there are blank lines between the parts. */
const AIRY = 20;
const LIST_SHARE = 0.65;

/** A view is a function of what is known and the room there is; `scroll` comes back within its limits. */
export function draw(state: DialogState, look: Look, size: Size): Drawing {
  const { theme } = look;
  const width = dialogWidth(size.columns);
  const anyKey = { scroll: state.scroll, at: () => ({ type: "key", name: "enter" }) as const };
  if (state.concluded !== undefined) return { lines: concludedLines(state, theme, width), ...anyKey };
  if (state.collapsed) return { lines: [collapsedLine(state, theme, width)], ...anyKey };

  const airy = size.rows >= AIRY;
  const message = messageLines(state, theme, innerWidth(size.columns));
  const helpRows = size.rows >= 14 ? 2 : 1;
  const help = (readHead: boolean, readDetail: boolean) =>
    helpLines(helpOf(state, { readHead, readDetail, ways: look.ways }), width, helpRows);
  const reserved = 2 + help(true, true).length + message.length;
  const gaps = airy ? 2 + message.length : 0;
  const room = { width: innerWidth(size.columns), height: Math.max(2, size.rows - reserved - gaps) };
  const { head, answer } = share(state, look, room, airy);

  const body = joined(
    airy,
    head.shown,
    answer.shown.map((line) => INDENT + line),
    message,
  );
  const keys = help(head.overflows, answer.overflows);
  const lines = [
    titleLine(state, theme, width),
    ...body.map((line) => line.trimEnd()),
    bottomLine(state, theme, width),
    ...keys.map((line) => paintedHelp(line, theme)),
  ];
  const firstRow = (airy ? 2 : 1) + head.shown.length + (airy && head.shown.length > 0 ? 1 : 0);
  return {
    lines: lines.slice(0, size.rows),
    scroll: { head: head.top, detail: answer.top },
    at(line, column) {
      const key = keyAt(keys[line - (lines.length - keys.length)] ?? "", column);
      if (key !== undefined) return { type: "key", name: key };
      const row = column < (answer.rowWidth ?? Infinity) + INDENT.length ? answer.rows?.[line - firstRow] : undefined;
      if (row !== undefined) return { type: "row", row };
      return line < firstRow ? { type: "head" } : undefined;
    },
  };
}

function paintedHelp(line: string, theme: Theme): string {
  return line.replace(
    /(\S[^:]*?)(: .*?)(?=  |$)/g,
    (_, keys: string, does: string) => theme.text(keys) + theme.muted(does),
  );
}

/** Where there is not enough room the list keeps its rows, and what is above it can be scrolled. */
function share(state: DialogState, look: Look, room: Room, airy: boolean): { head: Viewport; answer: Viewport } {
  const nothing = viewport([], 0, 0);
  if (state.over === "preview") return { head: nothing, answer: answerLines(state, look, room) };
  if (state.form.phase === "review") {
    return {
      head: read(reviewLines(state.form, look.theme, room.width), state.scroll.head ?? 0, room.height),
      answer: nothing,
    };
  }
  const { lines, from } = headLines(state, look, room.width, airy);
  const free = room.height - (airy ? 1 : 0);
  const wanted = answerLines(state, look, { ...room, height: free }).shown.length;
  const rows = rowOrder(state.form.questions[state.form.current] ?? { options: [] }).length;
  const least = Math.min(wanted, Math.min(rows, 6) + 2, Math.ceil(free * LIST_SHARE));
  // A long question may take what descriptions can spare; what was said before it only what is left over.
  const asked = Math.min(lines.length - from, free - least);
  const above = Math.max(1, Math.min(lines.length, Math.max(asked, free - wanted)));
  // The blank line before the question alone, without what was said, would tell nothing.
  const forHead = airy && from > 0 && above === lines.length - from + 1 ? above - 1 : above;
  return {
    head: read(lines, state.scroll.head ?? from, forHead),
    answer: answerLines(state, look, { ...room, height: Math.max(1, free - forHead) }),
  };
}

/** With its margin, and there an arrow where the text goes on. */
function read(lines: readonly string[], top: number, height: number): Viewport {
  const view = viewport(lines, top, height);
  return { ...view, shown: view.shown.map((line, i) => `${(view.arrows[i] ?? "").padEnd(INDENT.length)}${line}`) };
}

function joined(airy: boolean, ...parts: readonly (readonly string[])[]): string[] {
  const filled = parts.filter((lines) => lines.length > 0);
  return airy ? ["", ...filled.flatMap((lines) => [...lines, ""])] : filled.flat();
}

function messageLines(state: DialogState, theme: Theme, width: number): string[] {
  if (state.over === "ending") return endingLines(state, width).map((line) => INDENT + theme.error(line));
  const message = messageOf(state, theme, (text) => clipped(text, width));
  return message === undefined ? [] : [INDENT + message];
}

/** What is about to end, in the words of the option that does. */
function endingLines({ form }: DialogState, width: number): string[] {
  const { label = "", description = "" } = form.questions.flatMap(({ options }) => options).find(isCancel) ?? {};
  const isLost = form.entries.some(({ text, note }) => `${text}${note}`.trim() !== "");
  const lost = isLost ? [clipped("What you typed is not sent.", width)] : [];
  return [...wrapped(`${description || label}?`, width).slice(0, 2), ...lost];
}

function messageOf(
  { over, form, restored }: DialogState,
  theme: Theme,
  fit: (text: string) => string,
): string | undefined {
  if (over === "leaving") return theme.error(fit("Leave? What you entered is kept."));
  const error = form.phase === "review" ? undefined : form.errors[form.current];
  if (error !== undefined) return theme.error(fit(error));
  return restored ? theme.muted(fit("What you entered before is back.")) : undefined;
}
