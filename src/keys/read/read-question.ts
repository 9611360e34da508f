import type { DrawnLayout } from "../../agents/capability/screen-layout.ts";
import { splitPreview } from "./read-preview.ts";
import { readRows } from "./read-rows.ts";
import type { QuestionScreen, Row, Screen, Tab } from "../screen.ts";

/** Reads from the bottom up: hint, chat, rule, rows, question, head. What is above may be anything. */
export function readQuestion(lines: readonly string[], layout: DrawnLayout): Screen | undefined {
  const end = lines.findLastIndex((line) => layout.chat.test(line));
  const below = lines.slice(end + 1).filter((line) => line !== "");
  const hint = below.join(" ");
  if (end < 1 || !layout.rule.test(lines[end - 1] ?? "") || !layout.hint.test(hint)) return undefined;
  if (below.some((line) => layout.row.test(line) || line.startsWith(layout.cursor)))
    return unknown("Rows of another dialog stand below this one");
  const found = layout.chat.exec(lines[end] ?? "");
  const number = found?.[2] === undefined ? undefined : Number(found[2]);
  const chat: Row = { kind: "chat", number, text: "", cursor: found?.[1] === layout.cursor };
  const preview = layout.preview.hint.test(hint);

  const all = lines.slice(0, end - 1);
  const top = headIn(all, layout);
  const body = afterHead(all, top);
  const first = body.findIndex((line) => layout.row.test(line));
  if (first < 0) return unknown("No row of the dialog is on the screen");
  const parts = preview ? splitPreview(body.slice(first), layout) : { list: body.slice(first), notes: undefined };
  if (!parts) return unknown("The preview beside the options is drawn in a way that Parley does not know");
  const rows = readRows(parts.list, { layout, chat, preview, cut: top < 0 });
  if (typeof rows === "string") return unknown(rows);

  const screen: QuestionScreen = {
    type: "question",
    text: questionIn(body.slice(0, first), layout),
    cut: top < 0,
    tabs: tabsIn(all[top] ?? "", layout),
    multiSelect: rows.some(({ checked }) => checked !== undefined),
    preview,
    notes: parts.notes,
    rows,
    settled: all.slice(0, Math.max(top, 0)).filter((line) => layout.settled.test(line)).length,
  };
  return screen;
}

const unknown = (why: string): Screen => ({ type: "unknown", why, remains: true });

/** The head stands below a rule, or on the first line when all above it is out of sight. */
function headIn(lines: readonly string[], { form, lone, rule }: DrawnLayout): number {
  return lines.findLastIndex(
    (line, i) => (form.test(line) || lone.test(line)) && (i === 0 || rule.test(lines[i - 1] ?? "")),
  );
}

/** A header that does not fit goes on below its tab, until the next empty line. */
function afterHead(lines: readonly string[], top: number): readonly string[] {
  if (top < 0) return lines;
  const gap = lines.indexOf("", top);
  return gap < 0 ? [] : lines.slice(gap);
}

function questionIn(lines: readonly string[], { questionBar }: DrawnLayout): string {
  const text = lines.join("\n").replace(/^\n+|\n+$/g, "");
  if (questionBar === undefined) return text;
  const drawn = text.split("\n");
  if (!drawn.every((line) => line.startsWith(questionBar))) return text;
  return drawn.map((line) => line.slice(questionBar.length).trim()).join("\n");
}

function tabsIn(head: string, { form, tab, doneMark }: DrawnLayout): Tab[] {
  const tabs = form.exec(head)?.[1];
  if (tabs === undefined) return [];
  return [...tabs.matchAll(tab)].map(([, mark, header = ""]) => ({ header, done: mark === doneMark }));
}
