import type { Ask } from "../../../core/ask/ask.ts";
import type { Grant } from "../../../core/grant/grant.ts";
import { ParleyError } from "../../../core/error.ts";
import { grantLines, grantState, patternTitle } from "../../../core/words/grant-words.ts";
import { actorOf } from "../../../inbox/callers.ts";
import { createGrantGiving } from "../../../inbox/grant/give-grant.ts";
import { createGrantOffers } from "../../../inbox/grant/grant-offer.ts";
import { type Grants, onceOption } from "../../../inbox/grant/grants.ts";
import { createHeldBack } from "../../../inbox/grant/held-back.ts";
import type { Clock, Inbox } from "../../../inbox/inbox.ts";
import type { MustAsk } from "../../../inbox/grant/must-ask.ts";
import type { ApprovalRow, GrantView } from "../../../protocol/grant.ts";
import type { AskView } from "../../../protocol/view.ts";
import { MOST_BYTES, type Store } from "../../../store/store.ts";
import type { Routes } from "./route.ts";

export type GrantDeps = { store: Store; inbox: Inbox; grants: Grants; mustAsk: MustAsk; now: Clock };
type Served =
  | "giveGrant"
  | "grantOffer"
  | "declineGrant"
  | "listApprovals"
  | "listGrants"
  | "getGrant"
  | "editGrant"
  | "revokeGrant";
const MOST_ROWS = 500;

/** What people allow in advance. */
export function createGrantRoutes(deps: GrantDeps, viewAsk: (ask: Ask) => AskView): Pick<Routes, Served> {
  const { store, inbox, mustAsk, now } = deps;
  const heldBack = createHeldBack(mustAsk);
  const offers = createGrantOffers({ store, heldBack, now });
  const giving = createGrantGiving({ ...deps, offers });
  const view = (grant: Grant): GrantView => ({
    ...grant,
    title: patternTitle(grant.pattern),
    lines: grantLines(grant, now()),
    sentence: grantState(grant),
  });
  return {
    async giveGrant({ id, body: { dry, surface, ...wish }, caller }) {
      const by = actorOf(caller, surface);
      if (!dry) {
        const { ask, grants } = await giving.give(id, wish, by);
        return { ask: viewAsk(ask), grant: view(grants[0]), grants: grants.map(view) };
      }
      const ask = await inbox.get(id);
      const [first, ...more] = (await giving.drafts(ask, wish)).map((shown) =>
        view({ id: "", version: 0, state: "live", ...shown, by, used: 0, givenAt: now() }),
      );
      if (!first) throw new ParleyError("internal", "nothing was drafted");
      return { ask: viewAsk(ask), grant: first, grants: [first, ...more] };
    },
    grantOffer: async ({ id }) => offers.offer(await inbox.get(id)),
    declineGrant: async ({ id, body: { surface }, caller }) =>
      view(await offers.decline(await inbox.get(id), actorOf(caller, surface))),
    async listApprovals() {
      const asks = await store.list({ states: ["open"], kind: "approval", limit: MOST_ROWS, maxBytes: MOST_BYTES });
      const approvals: ApprovalRow[] = [];
      for (const ask of asks) {
        const options = ask.questions[0]?.options ?? [];
        const [approve, deny] = [onceOption(ask.questions), options.findIndex(({ effect }) => effect === "deny")];
        if (ask.outcome || approve < 0 || deny < 0) continue;
        const held = await heldBack.ofAsk(ask);
        approvals.push({ ask: viewAsk(ask), approve, deny, ...(held !== undefined && { held }) });
      }
      return { approvals };
    },
    async listGrants({ query: { all } }) {
      return { grants: (await store.grants(all ? {} : { live: true })).map(view) };
    },
    getGrant: async ({ id }) => view(await giving.find(id)),
    async editGrant({ id, body: { dry, surface, ...wish }, caller }) {
      return view(await (dry ? giving.redraft(id, wish) : giving.edit(id, wish, actorOf(caller, surface))));
    },
    revokeGrant: async ({ id, body: { surface }, caller }) => view(await giving.revoke(id, actorOf(caller, surface))),
  };
}
