import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { ParleyError } from "../../../../core/error.ts";
import { isAtLeast, LOG_LEVELS, type LogLevel } from "../../../../core/config/log-level.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { rotatedFiles } from "../../../../machine/file/rotating-file.ts";
import { countIn } from "../../../terminal/counting.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { clock } from "../../../../core/words/time.ts";

const PAUSE_MS = 200;
type Line = { time?: unknown; level?: unknown; message?: unknown };

export const command = defineCommand({
  about:
    "The same as parley log --daemon: the daemon's own log, oldest first, the newest 50 lines. It is read from its files, so it is there while the daemon is stopped too. What happened to questions is in `parley log`.",
  options: {
    number: { short: "n", value: "N", default: "50", description: "how many lines (50)" },
    follow: { short: "f", description: "keep following; stop with Ctrl-C" },
    level: {
      value: "LEVEL",
      default: "debug",
      of: LOG_LEVELS,
      description:
        "debug, info, warn or error: only lines that are at least that (how much is written: log.level in the settings, PARLEY_LOG)",
    },
    json: { description: "the lines as they are" },
  },
  run: daemonLog,
});

type Wanted = { number: string; follow: boolean; level: string; json: boolean };

export async function daemonLog(
  { number, follow: isFollowing, level: least, json }: Wanted,
  { terminal, paths }: Pick<Context, "terminal" | "paths">,
): Promise<number> {
  const level = levelIn(least);
  const most = countIn("-n", number, [0, 1_000_000]);
  const print = (line: string) => terminal.out(json ? jsonLine(parsed(line)) : inWords(line, terminal));
  const isWanted = (line: string) => line !== "" && isAtLeast(levelOf(parsed(line)), level);

  const files = rotatedFiles(paths.log).map((path) => ({ path, ...readFrom(path, 0) }));
  const lines = files.flatMap(({ text }) => text.split("\n")).filter(isWanted);
  for (const line of lines.slice(Math.max(0, lines.length - most))) print(line);
  if (!isFollowing) return 0;
  for await (const text of follow(paths.log, files.find(({ path }) => path === paths.log)?.end ?? 0))
    for (const line of text.split("\n").filter(isWanted)) print(line);
  return 0;
}

/** Whole lines as they come, over rotations: what a file held when it was emptied is in the newest copy. */
async function* follow(path: string, from: number): AsyncGenerator<string> {
  for (let at = from; ; await Bun.sleep(PAUSE_MS)) {
    if (!existsSync(path)) continue;
    const { text, end, size } = readFrom(path, at);
    if (size < at) {
      if (existsSync(`${path}.1`)) yield readFrom(`${path}.1`, at).text;
      at = 0;
      continue;
    }
    at = end;
    yield text;
  }
}

/** The whole lines after an offset, and where they end. */
function readFrom(path: string, from: number): { text: string; end: number; size: number } {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.max(0, size - from));
    const length = readSync(fd, bytes, 0, bytes.length, from);
    const whole = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
    return { text: bytes.toString("utf8", 0, whole), end: from + whole, size };
  } finally {
    closeSync(fd);
  }
}

/** What is no JSON was written by the runtime itself, such as a crash: never to be passed over. */
function parsed(line: string): Line {
  try {
    const value = JSON.parse(line) as Line | null;
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Told below.
  }
  return { level: "error", message: line };
}

function levelOf({ level }: Line): LogLevel {
  return LOG_LEVELS.find((known) => known === level) ?? "error";
}

function inWords(text: string, { style }: Terminal): string {
  const line = parsed(text);
  const { time, level: _level, message, ...fields } = line;
  const level = levelOf(line);
  const paint = { debug: style.dim, info: (word: string) => word, warn: style.yellow, error: style.red }[level];
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const at = typeof time === "string" && !Number.isNaN(Date.parse(time)) ? clock(Date.parse(time)) : " ".repeat(19);
  const words = [safeLine(String(message), { max: 600 }), ...rest.map((part) => safeLine(part, { max: 600 }))];
  return `${style.dim(at)}  ${paint(level.padEnd(5))}  ${words.join(" ")}\n`;
}

function shown(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function levelIn(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level) return level;
  throw new ParleyError("usage", `--level: expected debug, info, warn or error, not "${safeLine(text, { max: 40 })}"`);
}
