import { readFileSync } from "node:fs";
import { CALLER } from "../protocol/address.ts";

/** This process beyond reuse of its pid; where only `ps` could tell when it was started, the daemon finds out. */
const started = (): string => {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
};

/** Where a call comes from. */
export function callerHeaders(session?: string): Record<string, string> {
  return {
    [CALLER.process]: `${process.pid} ${started()}`.trim(),
    // A header takes no letters beyond Latin-1, nor a line break.
    ...(session !== undefined && { [CALLER.session]: encodeURIComponent(session.slice(0, 200)) }),
  };
}
