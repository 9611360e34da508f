import { cpus } from "node:os";

/** `isIdle` resolves when the cores have been watched for a while; true when much of that time they had nothing to do. */
export type Spare = { isIdle(): Promise<boolean>; end(): void };

/** A job has begun to work by then, so that the next look counts it. */
const WATCH_MS = 2500;
/** Less than that is between two steps of what runs already. */
const IDLE_PART = 0.2;

export function watchCores(): Spare {
  let timer: Timer | undefined;
  let watching: Promise<boolean> | undefined;
  const watch = () =>
    new Promise<boolean>((resolve) => {
      const before = times();
      timer = setTimeout(() => {
        const now = times();
        watching = undefined;
        resolve(now.idle - before.idle > IDLE_PART * (now.all - before.all));
      }, WATCH_MS);
    });
  return { isIdle: () => (watching ??= watch()), end: () => clearTimeout(timer) };
}

function times(): { idle: number; all: number } {
  const each = cpus().map((core) => core.times);
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return { idle: sum(each.map(({ idle }) => idle)), all: sum(each.map((core) => sum(Object.values(core)))) };
}
