import { ParleyError } from "../core/error.ts";
import { safeLine } from "../core/text/text.ts";
import { clock } from "../core/words/time.ts";
import type { HubAskView } from "../protocol/hub/hub.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { type AskViews, bodyOf } from "./ask-views.ts";
import { mayAnswer } from "./may.ts";

type Deps = { records: HubRecords; now: () => number; views: AskViews; claimMs: number };

/** "I am on it": claim, hand over, let go. Contract: throws for what is refused; undefined: no such address. */
export function createClaimRoutes({ records, now, views, claimMs }: Deps) {
  async function claim(request: Request, prefix: string): Promise<HubAskView> {
    const who = await views.actor(request);
    const { to } = ((await bodyOf(request)) ?? {}) as { to?: unknown };
    const found = await views.find(prefix, who);
    const ask = found.view as AskView;
    const refused = new ParleyError("forbidden", `Your role here is ${who.role}: you may not answer this`);
    if (!mayAnswer(who, ask)) throw refused;
    const wish = {
      machine: found.machine.id,
      ask: ask.id,
      token: who.token,
      until: now() + claimMs,
      ...(typeof to === "string" && to !== "" && { to }),
    };
    const said = await records.claim(wish, (actor) => mayAnswer(actor, ask), now());
    if (said.type === "refused") throw refused;
    if (said.type === "gone") throw new ParleyError("already_settled", "It does not wait for an answer any more");
    if (said.type === "nobody")
      throw new ParleyError("not_found", `Nobody called "${safeLine(String(to), { max: 40 })}" may answer this here`);
    if (said.type === "taken") {
      const { name, until } = said.claim;
      throw new ParleyError("busy", `${safeLine(name, { max: 40 })} is on it until ${clock(until)}`);
    }
    return views.view(await views.find(ask.id, who));
  }

  async function release(request: Request, prefix: string): Promise<HubAskView> {
    const who = await views.actor(request);
    const found = await views.find(prefix, who);
    const { id } = found.view as AskView;
    await records.release({ machine: found.machine.id, ask: id, token: who.token }, now());
    return views.view(await views.find(id, who));
  }

  return async function handle(request: Request): Promise<HubAskView | undefined> {
    const [, id = "", act] = /^\/api\/asks\/([^/]+)\/(claim|release)$/.exec(new URL(request.url).pathname) ?? [];
    if (act === undefined || request.method !== "POST") return undefined;
    return act === "claim" ? claim(request, id) : release(request, id);
  };
}
