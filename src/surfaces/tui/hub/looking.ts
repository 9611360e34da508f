import type { HubClient } from "../../../client/hub-client.ts";

/** A hub forgets after forty seconds who does not say it again. */
const AGAIN_MS = 10_000;

/** Tells the others in a hub whose dialog is open here, for as long as it is. */
export function createLooking(hub: HubClient, signal: AbortSignal) {
  const tab = crypto.randomUUID();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(ask: string | undefined): void {
    // Nobody waits for it, and what is lost is said again.
    void hub.looking(tab, ask).catch(() => undefined);
    if (ask !== undefined && !signal.aborted) timer = setTimeout(() => tell(ask), AGAIN_MS);
  }

  return (ask: string | undefined): void => {
    clearTimeout(timer);
    tell(ask);
  };
}
