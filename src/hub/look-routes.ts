import type { AskView } from "../protocol/view.ts";
import { HUB_PATHS } from "../protocol/hub/hub.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { type AskViews, bodyOf } from "./ask-views.ts";
import { digestOf } from "./digest.ts";

/** A tab says so every ten seconds; one that was not heard for so long is gone. */
const LOOK_MS = 40_000;

/** Who else is looking: a tab says what it shows. Undefined: not for us. */
export function createLookRoutes({ records, now, views }: { records: HubRecords; now: () => number; views: AskViews }) {
  return async function handle(request: Request): Promise<object | undefined> {
    if (request.method !== "POST" || new URL(request.url).pathname !== HUB_PATHS.looking) return undefined;
    const who = await views.actor(request);
    const { tab: typed, ask: wanted } = ((await bodyOf(request)) ?? {}) as { tab?: unknown; ask?: unknown };
    // Of this browser alone, whatever another one calls its tabs.
    const tab = digestOf(`${who.token} ${typeof typed === "string" ? typed.slice(0, 100) : ""}`);
    if (typeof wanted !== "string") {
      await records.endLook(tab);
      return {};
    }
    const { machine, view } = await views.find(wanted, who);
    await records.look({ tab, machine: machine.id, ask: (view as AskView).id, member: who.member }, now() + LOOK_MS);
    return {};
  };
}
