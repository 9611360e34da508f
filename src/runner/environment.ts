import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What would make the agent believe that it runs inside another one, or reach another Parley. */
const NOT_HANDED = /^(PARLEY_.*|CLAUDECODE|CLAUDE_CODE_(SESSION_ID|SSE_PORT|ENTRYPOINT))$/;

/** What the person who gave the task had in their environment; a task from the page gets the daemon's own. */
export function environmentOf(home: string, task: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(home, "tasks", task, "environment.json"), "utf8")) as Record<string, string>;
  } catch {
    const own = Object.entries(process.env).filter(([name]) => !NOT_HANDED.test(name));
    return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  }
}
