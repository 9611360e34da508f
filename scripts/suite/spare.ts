import { cpus } from "node:os";

/** `isIdle` resolves when the cores have been watched for a while; true when much of that time they had nothing to do. */
export type Spare = { isIdle(): Promise<boolean>; end(): void };

/** A job has begun to work by then, so that the next look counts it. */
const WATCH_MS = 1500;
/** Less than that is between two steps of what runs already. */
const IDLE_PART = 0.2;

export function watchCores(): Spare {
  let timer: Timer | undefined;
  let watching: Promise<boolean> | undefined;
  const watch = () =>
    new Promise<boolean>((resolve) => {
      const worked = countWork();
      timer = setTimeout(() => {
        watching = undefined;
        resolve(worked() < 1 - IDLE_PART);
      }, WATCH_MS);
    });
  return { isIdle: () => (watching ??= watch()), end: () => clearTimeout(timer) };
}

/** Gives the part of the time since then in which the cores worked, between 0 and 1. */
export function countWork(): () => number {
  const before = times();
  return () => {
    const now = times();
    return 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all);
  };
}

/** What was made nice gives way: its time is free. */
function times(): { idle: number; all: number } {
  const each = cpus().map((core) => core.times);
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    idle: sum(each.map(({ idle, nice }) => idle + nice)),
    all: sum(each.map((core) => sum(Object.values(core)))),
  };
}
