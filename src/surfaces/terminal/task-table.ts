import { costWords, diffWords, nowWords, stateWords, tokenWords } from "../../core/words/task-words.ts";
import { workWord } from "../../core/words/work-words.ts";
import { ageOf } from "../../core/words/time.ts";
import { shortId } from "../../core/id.ts";
import { safeLine } from "../../core/text/text.ts";
import type { TaskView } from "../../protocol/task.ts";
import { fit, pad } from "./columns.ts";
import { stateColour } from "./state-colour.ts";
import type { Page, Style } from "./terminal.ts";

type Column = {
  title: string;
  text(task: TaskView, now: number): string;
  paint?(task: TaskView, style: Style): (text: string) => string;
  right?: boolean;
  /** On narrower terminals it is left out. */
  from?: number;
  most?: number;
  isWanted?(tasks: readonly TaskView[]): boolean;
};
const LONGEST_LINE = 240;
const NARROW = 100;
const NOTHING = "-";

const COLUMNS: readonly Column[] = [
  { title: "ID", text: ({ id }) => shortId(id), paint: (_task, { bold }) => bold },
  { title: "STATE", text: stateWords, paint: stateColour },
  { title: "AGE", text: ({ createdAt }, now) => ageOf(createdAt, now), paint: (_task, { dim }) => dim, right: true },
  {
    title: "TURNS",
    text: ({ usage }) => (usage.turns === 0 ? NOTHING : String(usage.turns)),
    right: true,
    from: NARROW,
  },
  { title: "TOKENS", text: (task) => tokenWords(task) || NOTHING, right: true, from: NARROW },
  { title: "COST", text: (task) => costWords(task) || NOTHING, right: true },
  // Only where there is one: most people have none.
  {
    title: "IN",
    text: ({ order }) => (order.sandbox ? "sandbox" : NOTHING),
    isWanted: (tasks) => tasks.some(({ order }) => order.sandbox),
    from: NARROW,
  },
  { title: "NAME", text: ({ order }) => safeLine(order.name, { max: 80 }), most: 24 },
];
const LEAST_NOW = 12;

/** A line for each task under a headline; the last column is what it is about now, as far as there is room. */
export function taskTable(tasks: readonly TaskView[], now: number, { style, width }: Page): string[] {
  const room = Math.min(width, LONGEST_LINE);
  const columns = COLUMNS.filter(({ from = 0, isWanted }) => room >= from && (isWanted?.(tasks) ?? true)).map(
    (column) => {
      const most = Math.min(column.most ?? Infinity, room < NARROW ? 16 : Infinity);
      const texts = tasks.map((task) => fit(column.text(task, now), column.title === "NAME" ? most : Infinity));
      return { ...column, texts, size: Math.max(...[column.title, ...texts].map((text) => Bun.stringWidth(text))) };
    },
  );
  const left = room - columns.reduce((sum, { size }) => sum + size + 2, 0);
  const line = (cells: string[], about: string) =>
    [...cells, ...(left >= LEAST_NOW ? [fit(about, left)] : [])].join("  ").trimEnd();
  const placed = (text: string, { right, size }: { right?: boolean; size: number }) =>
    right ? text.padStart(size) : pad(text, size);
  const head = style.dim(
    line(
      columns.map((column) => placed(column.title, column)),
      "NOW",
    ),
  );
  const rows = tasks.map((task, i) =>
    line(
      columns.map((column) => (column.paint?.(task, style) ?? plain)(placed(column.texts[i] ?? "", column))),
      aboutOf(task, now),
    ),
  );
  return [head, ...rows];
}

const plain = (text: string) => text;

function aboutOf(task: TaskView, now: number): string {
  const work = [task.diff && task.diff.files > 0 ? diffWords(task.diff) : "", workWord(task)]
    .filter(Boolean)
    .join(", ");
  const changed = work === "" ? "" : `[${work}] `;
  return `${changed}${nowWords(task, now)}`;
}
