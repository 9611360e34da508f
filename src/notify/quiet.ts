import type { Notify } from "../core/config/config.ts";
import { quietFor } from "../core/config/quiet.ts";

/** How long it stays quiet, in the local time of this machine; 0 when it is not quiet. */
export function quietMs({ quiet }: Pick<Notify, "quiet">, now: number): number {
  const local = new Date(now);
  const minutes = quietFor(quiet, local.getHours() * 60 + local.getMinutes());
  return minutes === 0 ? 0 : minutes * 60_000 - local.getSeconds() * 1000 - local.getMilliseconds();
}
