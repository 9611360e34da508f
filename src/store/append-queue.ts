import type { LogEvent } from "../core/ask/event.ts";
import { createListeners } from "./listeners.ts";
import type { Appended, Change, Store } from "./store.ts";

export type Written = { result: Appended; events: readonly LogEvent[] };
export type Step = { value: Written } | { error: unknown };

/** Contract: a value is on disk; an error undid its own change alone. Throws, having written nothing, when all of it failed. */
type Commit = (changes: readonly Change[]) => readonly Step[] | Promise<readonly Step[]>;
type Waiting = { change: Change; done: (result: Appended) => void; failed: (error: unknown) => void };

/**
 * Group commit: what arrives together, or while a commit is under way, is committed together and shares one fsync.
 * `explain` puts an engine's error into words.
 */
export function createAppendQueue(
  commit: Commit,
  explain: (error: unknown) => unknown = (error) => error,
): Pick<Store, "append" | "onCommit" | "close"> {
  const { tell, onCommit } = createListeners();
  const queue: Waiting[] = [];
  let isScheduled = false;
  let committing: Promise<void> | undefined;
  let closed = false;

  function schedule(): void {
    if (isScheduled || committing) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    if (!committing && queue.length > 0) committing = commitBatch(queue.splice(0)).then(goOn);
  }

  function goOn(): void {
    committing = undefined;
    if (queue.length > 0) schedule();
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const steps = await commit(batch.map(({ change }) => change));
      tell(steps.flatMap((step) => ("value" in step ? step.value.events : [])));
      for (const [i, step] of steps.entries())
        if ("value" in step) batch[i]?.done(step.value.result);
        else batch[i]?.failed(explain(step.error));
    } catch (error) {
      for (const { failed } of batch) failed(explain(error));
    }
  }

  return {
    append: (change) =>
      new Promise((done, failed) => {
        if (closed) return failed(new Error("the store is closed"));
        queue.push({ change, done, failed });
        schedule();
      }),
    onCommit,
    async close() {
      closed = true;
      for (flush(); committing; flush()) await committing;
    },
  };
}
