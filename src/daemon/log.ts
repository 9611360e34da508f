export type Log = (level: "info" | "warn" | "error", message: string, fields?: Record<string, unknown>) => void;

/** One JSON object a line. Never a payload, a token or an environment: ids and reasons only. */
export function createLog(write: (line: string) => void, now: () => number): Log {
  return (level, message, fields) =>
    write(`${JSON.stringify({ at: new Date(now()).toISOString(), level, message, ...fields })}\n`);
}
