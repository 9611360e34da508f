import type { Row, Screen, Tab } from "../../capability/screen.ts";

/** The dialog stands below the call that opened it, which has an arrow at the end of its first line. */
export function readDialog(lines: readonly string[]): Screen | undefined {
  const head = lines.findLastIndex((line) => HEAD.test(line));
  if (head < 0 || !lines.some((line) => WAITING.test(line))) return undefined;
  const rest = lines.slice(head + 1);
  // Other calls of the same message stand below, and wait for their turn.
  const end = rest.findIndex((line) => WAITING.test(line) || /^ {2}\? /.test(line));
  if (rest.slice(end).some((line) => line !== "" && !WAITING.test(line) && !/^ {2}(?:\? | {2}\S)/.test(line)))
    return ODD;
  const body = rest.slice(0, end);
  const isQuestion = /^ {2}\? AskUserQuestion /.test(lines[head] ?? "");
  return isQuestion ? questionIn(body) : approvalIn(lines[head] ?? "", body);
}

const HEAD = /^ {2}\? \S.*←$/;
const WAITING = /^ {2}\S Waiting for user confirmation\.\.\.$/;
const HINT = /^↑\/↓: Navigate \| .*Enter: (?:Select|Confirm)(?: \| Esc: Cancel)?$/;
const ODD: Screen = {
  type: "unknown",
  why: "The dialog is drawn in a way that Parley does not know",
  remains: true,
};

function questionIn(lines: readonly string[]): Screen {
  const parts = paragraphs(lines.map((line) => line.replace(/^ {3}/, "")));
  const hint = parts.pop() ?? [];
  const list = parts.pop() ?? [];
  const [[top = "", ...more] = [], ...text] = parts;
  if (!HINT.test(hint.join(" ")) || more.length > 0) return ODD;
  const tabs = tabsIn(top);
  if (tabs && text.at(-1)?.join(" ") === "Ready to submit your answers?") return reviewIn(text, list);
  const rows = rowsIn(list);
  if (!rows || text.length === 0) return ODD;
  const multiSelect = rows[0]?.checked !== undefined;
  const words = text.map((part) => part.join("\n")).join("\n\n");
  return { type: "question", text: words, cut: false, tabs: tabs ?? [], multiSelect, preview: false, rows, settled: 0 };
}

/** `▸ Database ✓   Features   Submit`: the mark is in front of the one that is open. A lone question has its header there. */
function tabsIn(line: string): Tab[] | undefined {
  const names = line.replace("▸", " ").trim().split(/ {2,}/);
  if (names.length < 3 || names.pop() !== "Submit") return undefined;
  return names.map((name) => ({ header: name.replace(/ ✓$/, ""), done: name.endsWith(" ✓") }));
}

function reviewIn([answers = []]: readonly string[][], list: readonly string[]): Screen {
  const found = list.map((line) => /^([❯ ]) ([12])\. (Submit answers|Cancel)$/.exec(line));
  const [send, cancel] = found;
  if (answers[0] !== "Your answers:" || found.length !== 2 || send?.[3] !== "Submit answers" || !cancel) return ODD;
  const rows: Row[] = [
    { kind: "send", number: 1, text: "", cursor: send[1] === "❯" },
    { kind: "cancel", number: 2, text: "", cursor: cancel[1] === "❯" },
  ];
  return { type: "review", text: answers.slice(1).join("\n"), cut: false, rows };
}

const ROW = /^([❯ ]) (?:\[([ ✓])\] )?(\d{1,2})\. (\S.*)$/;
export const OWN_WORDS = "Type something...";

/** The last row takes own words; it shows one line of them. */
function rowsIn(list: readonly string[]): Row[] | undefined {
  const rows: Row[] = [];
  for (const line of list) {
    const last = rows.at(-1);
    const [, mark, box, number, text = ""] = ROW.exec(line) ?? [];
    if (number !== undefined) {
      const checked = box === undefined ? undefined : box === "✓";
      rows.push({ kind: "option", number: Number(number), text, checked, cursor: mark === "❯" });
    } else if (last) last.text += `\n${line.trim()}`;
    else return undefined;
  }
  const own = rows.at(-1);
  const boxes = new Set(rows.map(({ checked }) => checked !== undefined));
  const isOdd = rows.some(({ number }, i) => number !== i + 1) || rows.filter(({ cursor }) => cursor).length !== 1;
  if (!own || isOdd || boxes.size !== 1) return undefined;
  const typed = own.cursor ? own.text.replace(/^> ?/, "") : own.text;
  return [...rows.slice(0, -1), { ...own, kind: "own-words", text: typed === OWN_WORDS ? "" : typed }];
}

const VERDICT = /^([› ]) (\d)\. (\S.*)$/;

/** What would be done, the question, the rows. */
function approvalIn(head: string, lines: readonly string[]): Screen {
  const gap = lines.indexOf("");
  const parts = paragraphs(lines.slice(Math.max(gap, 0)).map((line) => line.replace(/^ {3}/, "")));
  const list = parts.pop() ?? [];
  const asked = parts.pop() ?? [];
  const rows = list.map((line): Row | undefined => {
    const [, mark, number, text = ""] = VERDICT.exec(line) ?? [];
    return number === undefined ? undefined : { kind: "option", number: Number(number), text, cursor: mark === "›" };
  });
  if (rows.length < 2 || rows.some((row, i) => row?.number !== i + 1)) return ODD;
  if (rows.filter((row) => row?.cursor).length !== 1 || !asked.join(" ").endsWith("?")) return ODD;
  const about = [head.replace(/^ {2}\? /, "").replace(/\s*←$/, ""), ...lines.slice(0, Math.max(gap, 0))].join(" ");
  const shown = parts.map((part) => part.map((line) => line.trim()).join("\n")).join("\n");
  return { type: "approval", about, shown, rows: rows.flatMap((row) => row ?? []) };
}

function paragraphs(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (line !== "") parts.at(-1)?.push(line);
    else if (parts.at(-1)?.length !== 0) parts.push([]);
  }
  return parts.filter(({ length }) => length > 0);
}
