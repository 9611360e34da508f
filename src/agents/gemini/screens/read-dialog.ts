import type { Question } from "../../../core/ask/question.ts";
import type { QuestionScreen, Row, Screen, Tab } from "../../capability/screen.ts";

/** A question, a form's review page or a call that waits for leave: each stands in a box at the end of the screen. */
export function readDialog(lines: readonly string[], questions: readonly Question[] = []): Screen | undefined {
  const content = boxIn(lines);
  if (!content) return undefined;
  if (content === "cut") return unknown("The terminal is not tall enough: the dialog begins above its first line");
  const [head = ""] = content;
  const asked = /^Answer Questions(?:\s+\d+ of (\d+))?$/.exec(head);
  if (asked?.[1] !== undefined)
    return unknown(
      "Gemini CLI gives the answer to one question of a message to the others too: answer in its terminal",
    );
  if (asked) return questionIn(content.slice(1), questions);
  return /^\? \S/.test(head) ? approvalIn(content) : undefined;
}

const unknown = (why: string): Screen => ({ type: "unknown", why, remains: true });
const ODD = unknown("The dialog is drawn in a way that Parley does not know");

/** The lines inside the box that ends the screen. Undefined: there is none. */
function boxIn(lines: readonly string[]): string[] | "cut" | undefined {
  if (!/^╰─+╯$/.test(lines.at(-1) ?? "")) return undefined;
  const top = lines.findLastIndex((line) => /^╭─+╮$/.test(line));
  const inside = lines.slice(top + 1, -1).map((line) => /^│ (.*?)\s*│$/.exec(line)?.[1]);
  if (top < 0 && inside.every((line) => line !== undefined)) return "cut";
  return top < 0 || inside.some((line) => line === undefined) ? undefined : inside.map((line) => line ?? "");
}

const HINT = /^Enter to (?:select|submit) · .*Esc to cancel$/;

function questionIn(lines: readonly string[], questions: readonly Question[]): Screen {
  const [body, hint] = lastParagraph(trimmed(lines));
  if (!HINT.test(hint.join(" "))) return ODD;
  const tabs = tabsIn(body[0] ?? "");
  const rest = trimmed(tabs ? body.slice(1) : body);
  if (tabs && rest[0] === "Review your answers:") {
    const send: Row = { kind: "send", text: "", cursor: true };
    return { type: "review", text: rest.slice(1).join("\n"), cut: false, rows: [send] };
  }
  const screen = { type: "question" as const, cut: false, tabs: tabs ?? [], preview: false, settled: 0 };
  const [above, list] = lastParagraph(rest);
  if (/^> ?/.test(list[0] ?? "")) {
    const text = [list[0]?.slice(1) ?? "", ...list.slice(1)].map((line) => line.trim()).join("\n");
    const own: Row = { kind: "own-words", text, cursor: true, maybeHint: true };
    return { ...screen, text: above.join("\n"), multiSelect: false, rows: [own] };
  }
  return withRows({ ...screen, text: above.join("\n"), multiSelect: false, rows: [] }, list, questions);
}

/** `□ Name │ ✓ Deploy │ ≡ Review` between arrows. */
function tabsIn(line: string): Tab[] | undefined {
  const inside = /^← (.+) │ ≡ Review →$/.exec(line)?.[1];
  const tabs = inside?.split(" │ ").map((tab) => /^([□✓]) (.+)$/.exec(tab));
  if (!tabs || tabs.some((tab) => !tab)) return undefined;
  return tabs.map((tab) => ({ header: tab?.[2] ?? "", done: tab?.[1] === "✓" }));
}

const ROW = /^([● ]) (\d{1,2})\. (?:\[([ x])\])? +(\S.*)$/;
const DONE = /^([● ]) {2}Done$/;
const SEVERAL = "(Select all that apply)";

function withRows(screen: QuestionScreen, list: readonly string[], questions: readonly Question[]): Screen {
  const scrolled = list[0] === "▲" && list.at(-1) === "▼";
  const rows: Row[] = [];
  for (const line of scrolled ? list.slice(1, -1) : list) {
    const last = rows.at(-1);
    const found = ROW.exec(line);
    const done = DONE.exec(line);
    if (found && last?.kind !== "advance") {
      const [, mark, number, box, text = ""] = found;
      const checked = box === undefined ? undefined : box === "x";
      rows.push({ kind: "option", number: Number(number), text, checked, cursor: mark === "●" });
    } else if (done && last?.kind !== "advance") rows.push({ kind: "advance", text: "", cursor: done[1] === "●" });
    else if (last?.kind === "advance" && line.trim() === "Finish selection") continue;
    else if (last && last.kind !== "advance" && /^ {5}/.test(line)) last.text += `\n${line.trim()}`;
    else return ODD;
  }
  const numbers = rows.flatMap(({ number }) => number ?? []);
  const isInOrder = numbers.every((number, i) => number === (numbers[0] ?? 0) + i);
  const boxes = new Set(rows.filter(({ kind }) => kind === "option").map(({ checked }) => checked !== undefined));
  if (rows.length === 0 || !isInOrder || boxes.size > 1 || rows.filter(({ cursor }) => cursor).length !== 1) return ODD;
  if (!scrolled && numbers[0] !== 1) return ODD;
  const multiSelect = boxes.has(true) || screen.text.endsWith(`\n${SEVERAL}`);
  if (multiSelect && !screen.text.endsWith(`\n${SEVERAL}`)) return ODD;
  const text = multiSelect ? screen.text.slice(0, -SEVERAL.length - 1) : screen.text;
  return { ...screen, text, multiSelect, rows: named(rows, { text, multiSelect }, questions) };
}

/** Rows behind the options are the agent's own. Without the question the words that it uses for them must do. */
function named(
  rows: readonly Row[],
  { text, multiSelect }: { text: string; multiSelect: boolean },
  questions: readonly Question[],
): Row[] {
  const asked = questions.filter((question) => letters(question.text) === letters(text));
  const counts = new Set(asked.map(({ options }) => options.length));
  const count = counts.size === 1 ? [...counts][0] : undefined;
  return rows.map((row) => {
    if (row.kind !== "option" || row.number === undefined) return row;
    const isAll = count === undefined ? multiSelect && ALL.test(row.text) : multiSelect && row.number === count + 1;
    if (isAll) return { ...row, kind: "all" };
    const isOwn = count === undefined ? row.text === OWN_WORDS : row.number > count;
    return isOwn ? { ...row, kind: "own-words", maybeHint: true } : row;
  });
}

const ALL = /^All of the above\nSelect all options$/;
export const OWN_WORDS = "Enter a custom value";
const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

const VERDICT = /^([● ]) (\d)\. (\S.*)$/;

/** First line, what would be done in a box of its own, the question, the rows. */
function approvalIn(content: readonly string[]): Screen {
  const [above, list] = lastParagraph(trimmed(content));
  const rows = list.map((line): Row | undefined => {
    const found = VERDICT.exec(line);
    return found
      ? { kind: "option", number: Number(found[2]), text: found[3] ?? "", cursor: found[1] === "●" }
      : undefined;
  });
  if (rows.some((row, i) => row?.number !== i + 1) || rows.filter((row) => row?.cursor).length !== 1) return ODD;
  const top = above.findIndex((line) => /^╭─+╮$/.test(line));
  const bottom = above.findLastIndex((line) => /^╰─+╯$/.test(line));
  const shown = above.slice(top + 1, bottom).map((line) => /^│ (.*?)\s*│$/.exec(line)?.[1]);
  if (top < 1 || bottom < top || shown.some((line) => line === undefined)) return ODD;
  const about = above.slice(0, top).join(" ").slice(2);
  return { type: "approval", about, shown: shown.join("\n"), rows: rows.flatMap((row) => row ?? []) };
}

/** What stands above the last empty line, and what below. */
function lastParagraph(lines: readonly string[]): [above: string[], last: string[]] {
  const gap = lines.lastIndexOf("");
  return [trimmed(lines.slice(0, Math.max(gap, 0))), lines.slice(gap + 1)];
}

function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}
