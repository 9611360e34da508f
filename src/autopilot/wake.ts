import type { LogEvent } from "../core/ask/event.ts";

type Deps = { isOff: () => Promise<boolean>; soon: (ask: string) => void };

/**
 * While the autopilot is off as far as is known, it may have been switched on a moment ago. One look at the settings is
 * for all that is asked until it is over: where nobody uses it, many questions cost no more than one.
 */
export function createWake({ isOff, soon }: Deps) {
  const asked = new Set<string>();

  async function look(): Promise<void> {
    const off = await isOff();
    const ids = [...asked];
    asked.clear();
    if (!off) for (const id of ids) soon(id);
  }

  return (events: readonly LogEvent[]): void => {
    const isLooking = asked.size > 0;
    for (const { ask, type } of events) if (ask !== undefined && type === "ask.captured") asked.add(ask);
    if (!isLooking && asked.size > 0) void look();
  };
}
