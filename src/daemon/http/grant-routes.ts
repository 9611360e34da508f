import type { Ask } from "../../core/ask/ask.ts";
import type { Grant } from "../../core/grant/grant.ts";
import { grantLines, grantState, patternTitle } from "../../core/words/grant-words.ts";
import { actorOf } from "../../inbox/callers.ts";
import { createGrantGiving } from "../../inbox/give-grant.ts";
import type { Grants } from "../../inbox/grants.ts";
import type { Clock, Inbox } from "../../inbox/inbox.ts";
import type { GrantView } from "../../protocol/grant.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Store } from "../../store/store.ts";
import type { Routes } from "./route.ts";

type Deps = { store: Store; inbox: Inbox; grants: Grants; now: Clock };
type Served = "giveGrant" | "listGrants" | "getGrant" | "editGrant" | "revokeGrant";

/** What people allow in advance. */
export function createGrantRoutes(deps: Deps, viewAsk: (ask: Ask) => AskView): Pick<Routes, Served> {
  const { store, inbox, now } = deps;
  const giving = createGrantGiving(deps);
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
        const { ask, grant } = await giving.give(id, wish, by);
        return { ask: viewAsk(ask), grant: view(grant) };
      }
      const ask = await inbox.get(id);
      const shown = await giving.draft(ask, wish);
      const grant: Grant = { id: "", version: 0, state: "live", ...shown, by, used: 0, givenAt: now() };
      return { ask: viewAsk(ask), grant: view(grant) };
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
