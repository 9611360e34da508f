import { ParleyError } from "../../core/error.ts";
import { isPassing, untilDone } from "../../machine/time/patience.ts";

type Wait = { isOver: () => boolean; failed: (error: unknown) => void };

/**
 * What an agent asks on a full disk is taken as soon as there is room: it says so only once. Any other error is the
 * caller's.
 */
export async function untilWritten(work: () => Promise<void>, wait: Wait): Promise<void> {
  let broken: { error: unknown } | undefined;
  const attempt = () =>
    work().catch((error: unknown) => {
      if (isUnwritten(error)) throw error;
      broken = { error };
    });
  await untilDone(attempt, wait);
  if (broken) throw broken.error;
}

const isUnwritten = (error: unknown): boolean =>
  (error instanceof ParleyError && error.code === "not_written") || isPassing(error);
