import type { Log } from "../machine/log.ts";
import type { HubRecords } from "../store/hub/records.ts";

const LOOK_MS = 1000;
const AT_ONCE = 50;
type Deps = { records: HubRecords; now: () => number; log: Log; sendDue: () => Promise<void> };

/** What happens by itself in time. All of it is in the records: of several hubs one does each, and the next goes on where one ended. */
export function createHubPace({ records, now, log, sendDue }: Deps) {
  let [running, again, ended] = [Promise.resolve(), false, false];
  let isBusy = false;
  /** Whether anything could be due when all was last looked at: most hubs send nothing to anybody. */
  let mayBeDue = true;
  let isForAll = true;
  const timer = setInterval(() => wake(null), LOOK_MS);

  async function step(): Promise<void> {
    if (isForAll) {
      isForAll = false;
      await Promise.all([records.endLooks(now()), records.closeGone()]);
      mayBeDue = await records.mayBeDue();
    }
    if (!mayBeDue) return;
    for (const each of await records.dueRoutes(now(), AT_ONCE)) await records.turnRoute(each, now());
    await sendDue();
  }

  /** Something may be due, of the Asks of this machine; null: of anything, and what may be due at all is looked at again. */
  function wake(machine: string | null): void {
    if (machine === null) isForAll = true;
    else if (!mayBeDue) return;
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
