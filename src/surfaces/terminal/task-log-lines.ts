import type { TaskLogEntry } from "../../core/task/task-log.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import { atMost, hang } from "./columns.ts";
import { counted } from "../../core/words/number.ts";
import { PARKED } from "../../core/words/task-words.ts";
import type { Page, Style } from "./terminal.ts";

type Look = { mark: string; paint: (text: string) => string };
const LONGEST_LINE = 400;
const MOST_LINES = 200;
const MOST_TOLD = 12;

/** Entries of a task's log as lines: the time, a mark for what it is, the text. A new day is said once. */
export function createLogPrinter({ style, width }: Page, full: boolean): (entry: TaskLogEntry) => string[] {
  let day = "";
  return (entry) => {
    const at = new Date(entry.at);
    const today = at.toLocaleDateString("sv");
    const head = today === day ? [] : [style.dim(`── ${today} ──`)];
    day = today;
    const { mark, paint } = lookOf(entry, style);
    const lead = `${style.dim(at.toLocaleTimeString("sv"))}  ${paint(mark)} `;
    const lines = hang(lead, textOf(entry), width, entry.kind === "said" ? undefined : paint);
    return [...head, ...(entry.kind === "started" && !full ? atMost(lines, MOST_TOLD) : lines), ...rest(entry)];
  };

  function rest({ kind, detail = "" }: TaskLogEntry): string[] {
    if (!full || detail === "" || kind === "started") return [];
    const lines = atMost(hang("            ", safeText(detail), width), MOST_LINES);
    return lines.map(style.dim);
  }
}

function textOf({ kind, text, tool, detail }: TaskLogEntry): string {
  if (kind === "said") return safeText(text).trim();
  if (kind === "started") return safeText(detail ?? text).trim();
  const line = safeLine(text, { max: LONGEST_LINE });
  if (kind === "called") return `${safeLine(tool ?? "", { max: 60 })} ${line}`.trim();
  const more = kind === "returned" ? (detail ?? "").trim().split("\n").length - 1 : 0;
  return more > 0 ? `${line} (+${counted(more, "line")})` : line;
}

function lookOf({ kind, isError, text }: TaskLogEntry, style: Style): Look {
  const plain = (words: string) => words;
  if (isError) return { mark: "✗", paint: style.red };
  if (kind === "ended") return text === PARKED ? { mark: "‖", paint: style.dim } : { mark: "✓", paint: style.green };
  const looks: Record<Exclude<TaskLogEntry["kind"], "ended">, Look> = {
    started: { mark: "▶", paint: style.bold },
    said: { mark: " ", paint: plain },
    called: { mark: "●", paint: style.cyan },
    asked: { mark: "?", paint: style.yellow },
    returned: { mark: "└", paint: style.dim },
  };
  return looks[kind];
}
