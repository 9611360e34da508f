import type { ListLayout } from "../../agents/list-layout.ts";
import type { Row, Screen } from "../screen.ts";

const unknown = (why: string): Screen => ({ type: "unknown", why, remains: true });
/** Frames that are drawn around a part of it. */
const FRAME = /^[╭╰]?─+[╮╯]?$/;

/** The dialog for a call that waits for leave. Undefined: there is none. */
export function readLeave(lines: readonly string[], { leave, cursor }: ListLayout): Screen | undefined {
  const last = lines.length - 1;
  if (!leave.bottom.test(lines[last] ?? "")) return undefined;
  const top = lines.slice(0, last).findLastIndex((line) => leave.top.test(line));
  if (top < 0) return unknown("The terminal is not tall enough: the dialog is not on the screen, or not all of it");
  const drawn = lines.slice(top + 1, last).map((line) => leave.line.exec(line)?.[1]?.trimEnd());
  if (drawn.some((line) => line === undefined)) return unknown("The frame of the dialog is not as Parley knows it");
  const body = drawn.filter((line) => line !== undefined);
  const gap = body.lastIndexOf("");
  if (
    !leave.hint.test(
      body
        .slice(gap + 1)
        .map((line) => line.trim())
        .join(" "),
    )
  )
    return undefined;
  const start = body.slice(0, gap).lastIndexOf("");
  const rows = rowsIn(body.slice(start + 1, gap), leave, cursor);
  if (!rows) return unknown("The rows of the dialog are drawn in a way that Parley does not know");
  const text = body
    .slice(0, start)
    .filter((line) => !FRAME.test(line))
    .map((line) => /^│ (.*) │$/.exec(line)?.[1] ?? line);
  return {
    type: "question",
    text: text.join("\n"),
    cut: false,
    tabs: [],
    multiSelect: false,
    preview: false,
    rows,
    settled: 0,
  };
}

function rowsIn(lines: readonly string[], leave: ListLayout["leave"], cursor: string): Row[] | undefined {
  const rows: Row[] = [];
  for (const line of lines) {
    const found = leave.row.exec(line);
    const last = rows.at(-1);
    if (found)
      rows.push({ kind: "option", number: Number(found[2]), text: found[3] ?? "", cursor: found[1] === cursor });
    else if (last) last.text += ` ${line.trim()}`;
    else return undefined;
  }
  const own = rows.at(-1);
  const isOrdered = rows.every(({ number }, i) => number === i + 1);
  if (!own || rows.length < 2 || !isOrdered || !leave.behind.test(own.text)) return undefined;
  if (rows.filter((row) => row.cursor).length !== 1) return undefined;
  const text = leave.empty.test(own.text) ? "" : own.text.replace(leave.behind, "");
  return [...rows.slice(0, -1), { kind: "own-words", text, cursor: own.cursor }];
}
