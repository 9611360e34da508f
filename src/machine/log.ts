import { jsonLine } from "../core/text/json-line.ts";
import { isAtLeast, type LogLevel } from "../core/config/log-level.ts";

export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;

/** An error may quote what somebody sent; a line stays one that can be read. */
const LONGEST = 500;

/** One JSON object a line. Never a payload, a token or an environment: ids and reasons only. */
export function createLog(write: (line: string) => void, now: () => number): Log {
  return (level, message, fields = {}) => {
    const short = Object.entries(fields).map(([name, value]) => [name, shortened(value)]);
    write(jsonLine({ time: new Date(now()).toISOString(), level, message, ...Object.fromEntries(short) }));
  };
}

/** Only what is at least as grave as the level, which may change while the daemon runs. */
export function withLevel(log: Log, level: () => LogLevel): Log {
  return (of, message, fields) => {
    if (isAtLeast(of, level())) log(of, message, fields);
  };
}

function shortened(value: unknown): unknown {
  return typeof value === "string" && value.length > LONGEST ? `${value.slice(0, LONGEST).toWellFormed()}…` : value;
}
