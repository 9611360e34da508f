import type { ListLayout } from "../../agents/list-layout.ts";
import { readLeave } from "./read-leave.ts";
import type { QuestionScreen, Row, Screen } from "../screen.ts";

const TOO_LOW = "The terminal is not tall enough: the dialog is not on the screen, or not all of it";
const unknown = (why: string, remains = true): Screen => ({ type: "unknown", why, remains });

/** A dialog of a list: its head, what it asks, its rows, its hint; below it the box for own words, while that is open. */
export function readList(lines: readonly string[], layout: ListLayout): Screen {
  const leave = readLeave(lines, layout);
  if (leave) return leave;
  const parts = partsOf(lines, layout);
  const isHint = parts && layout.hint.test(parts.hint);
  if (!parts || !isHint) return unknown("There is no dialog on the screen that Parley knows", hasHint(lines, layout));
  const { head, core, box } = parts;
  if (head < 0) return unknown(TOO_LOW);
  const asked = fieldIn(core, layout) ?? listIn(core, box, layout);
  if (!asked) return unknown("The rows of the dialog are drawn in a way that Parley does not know");
  const { text, rows } = asked;
  if (rows.filter(({ cursor }) => cursor).length !== 1) return unknown("The dialog has no cursor, or two");
  const screen: QuestionScreen = {
    type: "question",
    text,
    cut: false,
    tabs: [],
    multiSelect: rows.some(({ checked }) => checked !== undefined),
    preview: false,
    rows,
    settled: lines.slice(0, head).filter((line) => layout.settled.test(line)).length,
  };
  return screen;
}

type Parts = { head: number; core: readonly string[]; hint: string; box: readonly string[] | undefined };

/** The dialog ends with a rule; two of them on each other are its end and the beginning of the box. */
function partsOf(lines: readonly string[], { rule, head: first }: ListLayout): Parts | undefined {
  const isRule = (at: number) => rule.test(lines[at] ?? "");
  const last = lines.length - 1;
  if (!isRule(last)) return undefined;
  const above = lines.slice(0, last).findLastIndex((line) => rule.test(line));
  const hasBox = above > 0 && isRule(above - 1);
  const end = hasBox ? above - 1 : last;
  const found = lines.slice(0, end).lastIndexOf(first);
  // Above it stands a rule, or the top of the screen: a bar and an empty line.
  const head = found >= 0 && (isRule(found - 1) || found <= 2) ? found : -1;
  const body = lines.slice(head + 1, end);
  const gap = body.lastIndexOf("");
  const hint = body.slice(gap + 1).map((line) => line.trim());
  return {
    head,
    core: body.slice(0, Math.max(gap, 0)),
    hint: hint.join(" "),
    box: hasBox ? lines.slice(above + 1, last) : undefined,
  };
}

/** Also where only the end of one is to be seen. */
const hasHint = (lines: readonly string[], { hint, leave }: ListLayout) =>
  lines.some((line) => hint.test(line.trim()) || leave.hint.test(line.replace(leave.line, "$1").trim()));

type Asked = { text: string; rows: Row[] };

function fieldIn(core: readonly string[], { fieldRule, fieldText, ownWords }: ListLayout): Asked | undefined {
  const end = core.length - 1;
  const start = core.slice(0, Math.max(end, 0)).findLastIndex((line) => fieldRule.test(line));
  const [first, ...more] = core.slice(start + 1, end);
  const typed = first === undefined ? null : fieldText.exec(first);
  if (start < 0 || !typed || !fieldRule.test(core[end] ?? "")) return undefined;
  const text = wordsIn(typed[1], more, ownWords);
  return { text: core.slice(0, start).join("\n"), rows: [{ kind: "own-words", text, cursor: true }] };
}

function listIn(core: readonly string[], box: Parts["box"], layout: ListLayout): Asked | undefined {
  const from = core.findIndex((line) => layout.row.test(line));
  if (from < 0) return undefined;
  const rows: Row[] = [];
  for (const line of core.slice(from)) {
    const found = layout.row.exec(line);
    const last = rows.at(-1);
    if (found) {
      const [, mark, sign, text = ""] = found;
      const checked = sign === undefined ? undefined : sign === layout.checked;
      rows.push({ kind: "option", number: rows.length + 1, text, checked, cursor: mark === layout.cursor });
    } else if (last) last.text += `\n${line.trim()}`;
  }
  const own = rows.pop();
  if (!own || !layout.ownRow.test(own.text)) return undefined;
  const boxes = new Set([own, ...rows].map(({ checked }) => checked !== undefined));
  // The box is there while the cursor is on its row, and only then.
  if (boxes.size !== 1 || own.cursor !== (box !== undefined)) return undefined;
  const [first = "", ...more] = box ?? [];
  const typed = box && layout.ownText.exec(first);
  if (box && !typed) return undefined;
  const text = typed ? wordsIn(typed[1], more, layout.ownWords) : "";
  const ownRow: Row = { kind: "own-words", text, cursor: own.cursor };
  return { text: core.slice(0, from).join("\n"), rows: [...rows, ownRow] };
}

function wordsIn(first: string | undefined, more: readonly string[], empty: readonly string[]): string {
  const words = [first ?? "", ...more.map((line) => line.trim())].join("\n").trim();
  return empty.includes(words) ? "" : words;
}
