import type { createSerial } from "../machine/time/serial.ts";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

type Deps = {
  serial: ReturnType<typeof createSerial>;
  isStopped: () => boolean;
  log: (message: string, fields: Record<string, unknown>) => void;
};

/** One thing after another for each Ask. What fails, as on a full disk, is done as soon as it can be. */
export function createInTurn({ serial, isStopped, log }: Deps) {
  return inTurn;

  function inTurn(id: string, work: () => Promise<void>, pause = FIRST_PAUSE_MS): Promise<void> {
    return serial(id, work).catch((error: unknown) => {
      if (isStopped()) return;
      if (pause === FIRST_PAUSE_MS)
        log("the autopilot could not go on; it is tried again", { ask: id, error: String(error) });
      const next = Math.min(pause * 2, LONGEST_PAUSE_MS);
      setTimeout(() => void (isStopped() ? undefined : inTurn(id, work, next)), pause).unref();
    });
  }
}
