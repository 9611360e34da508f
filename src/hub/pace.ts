import type { Log } from "../machine/log.ts";
import type { HubRecords } from "../store/hub/records.ts";

const LOOK_MS = 1000;
const AT_ONCE = 50;
type Deps = { records: HubRecords; now: () => number; log: Log; sendDue: () => Promise<void> };

/** What happens by itself in time. All of it is in the records: of several hubs one does each, and the next goes on where one ended. */
export function createHubPace({ records, now, log, sendDue }: Deps) {
  let [running, again, ended] = [Promise.resolve(), false, false];
  let isBusy = false;
  const timer = setInterval(wake, LOOK_MS);

  async function step(): Promise<void> {
    for (const each of await records.dueRoutes(now(), AT_ONCE)) await records.turnRoute(each, now());
    await records.endLooks(now());
    await records.closeGone();
    await sendDue();
  }

  /** Something may be due. */
  function wake(): void {
    again = true;
    if (isBusy || ended) return;
    isBusy = true;
    running = (async () => {
      while (again && !ended) {
        again = false;
        await step().catch((error: unknown) => log("warn", "what is due waits", { error: String(error) }));
      }
    })().finally(() => (isBusy = false));
  }

  return {
    wake,
    async stop(): Promise<void> {
      ended = true;
      clearInterval(timer);
      await running;
    },
  };
}
