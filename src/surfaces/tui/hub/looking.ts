import type { HubClient } from "../../../client/hub-client.ts";

/** A hub forgets after forty seconds who does not say it again. */
const AGAIN_MS = 10_000;

/** Tells the others in a hub whose dialog is open here, for as long as it is and the inbox with it. */
export function createLooking(hub: Pick<HubClient, "looking">, signal: AbortSignal) {
  const tab = crypto.randomUUID();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: string | undefined;

  function tell(): void {
    // Nobody waits for it, and what is lost is said again.
    void hub.looking(tab, shown).catch(() => undefined);
    if (shown !== undefined) timer = setTimeout(tell, AGAIN_MS);
  }

  function look(ask: string | undefined): void {
    clearTimeout(timer);
    shown = signal.aborted ? undefined : ask;
    tell();
  }

  signal.addEventListener("abort", () => shown !== undefined && look(undefined), { once: true });
  return look;
}
