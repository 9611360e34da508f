import type { TaskLogEntry } from "../../../../core/task/task-log.ts";

/** A call and what it returned are one line. */
export type LogLine = TaskLogEntry & { result?: string; isOver?: boolean };

export function logLines(entries: readonly TaskLogEntry[]): LogLine[] {
  const lines: LogLine[] = [];
  const calls = new Map<string, LogLine>();
  for (const entry of entries) {
    const call = entry.kind === "returned" && entry.key !== undefined ? calls.get(entry.key) : undefined;
    if (call) {
      Object.assign(call, { isOver: true, isError: entry.isError ?? false, result: entry.detail ?? entry.text });
      continue;
    }
    const line: LogLine = { ...entry };
    lines.push(line);
    if (entry.key !== undefined && entry.kind !== "returned") calls.set(entry.key, line);
    // A run that has ended has nothing under way any more.
    if (entry.kind === "ended") for (const each of lines) each.isOver = true;
  }
  return lines;
}
