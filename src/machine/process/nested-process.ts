import { readdirSync, readFileSync } from "node:fs";
import { isAlive, nameProcess, type ProcessName } from "./process.ts";

/**
 * A process of a container, as it is called here: by its number in there and the kernel's time of its start, which is
 * the same everywhere. Contract: never one that has no other number than ours; undefined where it cannot be told.
 */
export function createNestedProcesses() {
  const known = new Map<string, ProcessName>();
  return function processHere(pid: number, started: string): ProcessName | undefined {
    const name = `${pid} ${started}`;
    const before = known.get(name);
    if (before && isAlive(before)) return before;
    known.delete(name);
    if (process.platform !== "linux") return undefined;
    const found = readdirSync("/proc").find(
      (each) => /^\d+$/.test(each) && innermostOf(each) === pid && startOf(each) === started,
    );
    if (found === undefined) return undefined;
    const here = nameProcess(Number(found));
    known.set(name, here);
    return here;
  };
}

/** Its number in the innermost namespace, where that is not the one we are in. */
function innermostOf(pid: string): number | undefined {
  const [, numbers = ""] = /^NSpid:\s*(.+)$/m.exec(textOf(`/proc/${pid}/status`)) ?? [];
  const all = numbers.trim().split(/\s+/);
  return all.length > 1 ? Number(all.at(-1)) : undefined;
}

const startOf = (pid: string): string | undefined => nameProcess(Number(pid)).started;

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
