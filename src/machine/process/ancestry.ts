import { ParleyError } from "../../core/error.ts";
import { environmentOf, nameProcess, parentOf, type ProcessName } from "./process.ts";
import { ps } from "./ps.ts";

/** `env`: what it was started with. A shell that unsets a variable for its commands keeps it here. */
export type Ancestor = ProcessName & { env: Record<string, string | undefined> };
/** Far more than anybody starts; beyond it nothing is known of who called, and that is nobody whom to believe. */
const DEEPEST = 4096;
const VARIABLE = /(?<=^|\s)([A-Za-z_]\w*)=(\S*)/g;

/** The process itself and its parents, nearest first; neither `until` nor what is above it. Contract: all of them, or it throws. */
export function ancestryOf(pid: number, until?: ProcessName): Ancestor[] {
  const line = process.platform === "linux" ? walked(pid) : listed(pid);
  const end = line.findIndex((each) => each.pid === until?.pid && each.started === until.started);
  return end < 0 ? line : line.slice(0, end);
}

function walked(from: number): Ancestor[] {
  const line: Ancestor[] = [];
  for (let pid: number | undefined = from; pid !== undefined && pid > 1; pid = parentOf(pid)) {
    refuseDeeper(line);
    const name = nameProcess(pid);
    if (name.started === undefined) break;
    line.push({ ...name, env: Object.fromEntries(environmentOf(pid).map(cut)) });
  }
  return line;
}

function refuseDeeper({ length }: readonly unknown[]): void {
  if (length >= DEEPEST)
    throw new ParleyError("forbidden", `Who calls cannot be told: more than ${DEEPEST} processes started each other`);
}

/** Two calls of `ps`, however long the line is. */
function listed(from: number): Ancestor[] {
  const rows = new Map(rowsIn(ps("axo", "pid=,ppid=,lstart=")));
  const line: ProcessName[] = [];
  for (let pid = from, row = rows.get(pid); row && pid > 1; row = rows.get(pid)) {
    refuseDeeper(line);
    line.push({ pid, started: row.started });
    pid = row.parent;
  }
  const lines = ps("eww", "-o", "pid=,command=", "-p", line.map(({ pid }) => pid).join(",")).split("\n");
  const texts = new Map(lines.map((text) => [Number.parseInt(text, 10), text]));
  return line.map((name) => ({ ...name, env: variablesIn(texts.get(name.pid) ?? "") }));
}

/** The start stays as ps writes it, a day of one digit with its second space: so it is written where one process is asked for. */
export function rowsIn(text: string): [number, { parent: number; started: string }][] {
  const rows = text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S.*?)\s*$/gm);
  return [...rows].map(([, pid, parent, started = ""]) => [Number(pid), { parent: Number(parent), started }]);
}

function variablesIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(VARIABLE)].map(([, name = "", value = ""]) => [name, value]));
}

function cut(variable: string): [string, string] {
  const at = variable.indexOf("=");
  return at < 0 ? [variable, ""] : [variable.slice(0, at), variable.slice(at + 1)];
}
