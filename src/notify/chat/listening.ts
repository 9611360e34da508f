import type { Log } from "../../machine/log.ts";

/** One that listens by the settings it was given last. `run`: until the signal says so. */
export function createListening(title: string, run: (signal: AbortSignal) => Promise<void>, log: Log) {
  let running: { settings: string; ending: AbortController; done: Promise<void> } | undefined;
  return {
    /** `settings`: by which it listens; other ones begin anew. Undefined: it does not. */
    listen(settings: string | undefined): void {
      if (running?.settings === settings) return;
      running?.ending.abort();
      running = undefined;
      if (settings === undefined) return;
      const ending = new AbortController();
      const done = run(ending.signal).catch((error: unknown) =>
        log("error", `${title} failed`, { kind: (error as Error).name }),
      );
      running = { settings, ending, done };
    },
    async stop(): Promise<void> {
      running?.ending.abort();
      await running?.done;
      running = undefined;
    },
  };
}
