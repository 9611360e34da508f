import { counted, shortCount } from "../../core/words/number.ts";
import { statSync } from "node:fs";
import type { Headless, StreamItem } from "../../agents/capability/headless.ts";
import type { RunStart } from "../../core/task/run-start.ts";
import { inParagraphs } from "../../core/task/task.ts";
import type { Usage } from "../../core/task/usage.ts";
import type { TaskLogEntry } from "../../core/task/task-log.ts";
import { truncate } from "../../core/text/text.ts";
import { PARKED } from "../../core/words/task-words.ts";
import { linesFrom } from "../../machine/file/lines-from.ts";
import { exitOf, planOf, type RunExit, type RunFolder } from "./run-folder.ts";
import { createTimes } from "./stream-times.ts";

/** Where entries come from: the folders of all runs so far. */
type Source = {
  prompt: string;
  runs: number;
  folder(run: number): RunFolder;
  readStream: Headless["readStream"];
};
type Page = { entries: TaskLogEntry[]; next: number; more: boolean };

/** An entry's number is its run and the place in that run's stream, so that any page is found without the ones before. */
const RUN = 2 ** 36;
const LONGEST_TEXT = 4000;
const LONGEST_LINE = 200;
const TAIL_BYTES = 256 * 1024;

/** Entries after a number, oldest first. Contract: a line of the stream is never torn between two pages. */
export function readTaskLog(source: Source, { after, limit }: { after: number; limit: number }): Page {
  const entries: TaskLogEntry[] = [];
  for (let run = Math.max(1, Math.floor(after / RUN)); run <= source.runs; run++) {
    const from = Math.max(-1, after - run * RUN);
    for (const some of entriesOfRun(source, run, from)) {
      if (entries.length >= limit) return { entries, next: entries.at(-1)?.n ?? after, more: true };
      entries.push(...some);
    }
  }
  return { entries, next: entries.at(-1)?.n ?? after, more: false };
}

/** The newest entries; of a long stream only its end is read. */
export function tailTaskLog(source: Source, limit: number): Page {
  let entries: TaskLogEntry[] = [];
  for (let run = source.runs; run >= 1 && entries.length < limit; run--)
    entries = [...tailOfRun(source, run, limit - entries.length), ...entries];
  return { entries, next: entries.at(-1)?.n ?? 0, more: false };
}

function tailOfRun(source: Source, run: number, limit: number): TaskLogEntry[] {
  const size = sizeOf(source.folder(run).stream);
  for (let window = TAIL_BYTES; ; window *= 8) {
    const from = size > window ? size - window : -1;
    // The first line is half a line then, and says nothing.
    const found = [...entriesOfRun(source, run, from)].flat();
    if (found.length >= limit || from < 0) return found.slice(-limit);
  }
}

/** `from` -1: from the beginning, with how it was started. */
function* entriesOfRun(source: Source, run: number, from: number): Generator<TaskLogEntry[]> {
  const folder = source.folder(run);
  const began = timeOf(folder.supervisor);
  if (began === undefined) return;
  const entry = (place: number, at: number, rest: Omit<TaskLogEntry, "n" | "at" | "run">) =>
    ({ n: run * RUN + place, at, run, ...rest }) as TaskLogEntry;
  if (from < 0) yield [entry(0, began, startedWith(source.prompt, planOf(folder)?.start))];

  const size = sizeOf(folder.stream);
  using times = createTimes(folder.times);
  const start = Math.max(0, from);
  // There may be no stream yet.
  for (const { line, end } of size > start ? linesFrom(folder.stream, start) : []) {
    const items = source.readStream(line.toString("utf8")).flatMap(inWords);
    const at = times.at(end) ?? began;
    if (items.length > 0) yield items.map((item, i) => entry(end - (items.length - 1 - i), at, item));
  }
  const exit = exitOf(folder);
  if (exit && exit.code !== 0 && from <= size)
    yield [entry(size + 1, timeOf(folder.exit) ?? began, { kind: "ended", isError: true, text: exitWords(exit) })];
}

function startedWith(prompt: string, start: RunStart | undefined): Omit<TaskLogEntry, "n" | "at" | "run"> {
  const whole = start?.how === "prompt" ? inParagraphs(prompt, start.words) : prompt;
  const text = {
    prompt: whole,
    message: start?.how === "message" ? start.message : "",
    deferred: "continues with the answer",
  };
  return { kind: "started", ...cut(text[start?.how ?? "prompt"]) };
}

function inWords(item: StreamItem): Omit<TaskLogEntry, "n" | "at" | "run">[] {
  if (item.type === "said") return item.text.trim() === "" ? [] : [{ kind: "said", text: limited(item.text) }];
  if (item.type === "called") {
    const { key, tool, summary, input, asks } = item;
    return [
      { kind: asks ? "asked" : "called", tool, key, text: summary, detail: limited(JSON.stringify(input) ?? "") },
    ];
  }
  if (item.type === "returned") {
    const { key, isError, text } = item;
    return [{ kind: "returned", key, ...cut(text), ...(isError && { isError }) }];
  }
  if (item.type !== "ended") return [];
  if (item.deferred !== undefined) return [{ kind: "ended", text: PARKED }];
  const how = item.ok ? "finished" : item.text === "" ? "stopped" : `failed: ${item.text}`;
  const words = [how, ...usedWords(item.usage)].join(" · ");
  return [{ kind: "ended", text: limited(words), ...(!item.ok && { isError: true }) }];
}

/** Not its cost: some versions report that of the whole session. */
function usedWords({ turns, inputTokens, outputTokens }: Usage): string[] {
  return [`${counted(turns, "turn")} in this run`, `${shortCount(inputTokens + outputTokens)} tokens`];
}

function exitWords({ code, signal }: RunExit): string {
  if (code !== null) return `the agent's process ended with exit code ${code}`;
  return signal === null ? "the agent's process is gone" : `the agent's process was ended by ${signal}`;
}

/** Its first line, and the whole where there is more. */
function cut(text: string): { text: string; detail?: string } {
  const [first = ""] = text.trim().split("\n");
  const line = truncate(first, LONGEST_LINE);
  return line === text.trim() ? { text: line } : { text: line, detail: limited(text) };
}

const limited = (text: string) => truncate(text.trim(), LONGEST_TEXT);

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function timeOf(path: string): number | undefined {
  const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return at === undefined ? undefined : Math.round(at);
}
