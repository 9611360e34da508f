import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMark } from "../../agents/environments.ts";
import { asRecord } from "../../core/record.ts";

/** What would make the agent believe that it runs inside another one, or reach another Parley. */
const isNotHanded = (name: string): boolean => name.startsWith("PARLEY_") || isMark(name);

/** Its hooks start a daemon when none runs any more: that one must read the same settings. */
const SETTINGS = new Set(["PARLEY_CONFIG", "PARLEY_PORT", "PARLEY_LOG"]);

/** What the person who gave the task had in their environment; a task from the page gets the daemon's own. */
export function environmentOf(home: string, task: string): Record<string, string> {
  return {
    ...givenTo(home, task),
    ...defined(Object.entries(process.env).filter(([name]) => SETTINGS.has(name))),
  };
}

function givenTo(home: string, task: string): Record<string, string> {
  try {
    const given = asRecord(JSON.parse(readFileSync(join(home, "tasks", task, "environment.json"), "utf8")));
    if (!given) throw new Error("it has another shape");
    return defined(
      Object.entries(given).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    );
  } catch {
    return defined(Object.entries(process.env).filter(([name]) => !isNotHanded(name)));
  }
}

function defined(variables: [string, string | undefined][]): Record<string, string> {
  return Object.fromEntries(variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
