import type { Route } from "../../core/hub-route.ts";
import { changerOf, type Changer } from "./acting.ts";
import { note, recordOf, routeId, routeTo } from "./audit.ts";
import { noteTeam } from "./news.ts";
import { type HubGroup, readGroups, readRoutes } from "./route-rows.ts";
import { routeWaiting } from "./routing.ts";
import type { HubDatabase } from "./schema.ts";

type RouteAbout = Pick<Route, "project" | "kind" | "stakes">;

/** What an admin has set: groups of people, and whom questions go to. */
export function createHubRoutesSet({ run, transaction }: HubDatabase) {
  return {
    groups: () => readGroups(run),
    routes: () => readRoutes(run),
    /** `members`: ids. None: the group is no more. False: there was none. */
    setGroup: ({ name, members }: HubGroup, now: number, by: Changer = "host"): Promise<boolean> =>
      transaction(async (say) => {
        const who = await changerOf(say, by, now);
        noteTeam(say);
        if (members.length === 0) {
          const gone = await say("DELETE FROM hub_groups WHERE name = $1 RETURNING name", [name]);
          if (gone.length > 0) await note(say, now, { kind: "group.removed", by: who, facts: { name } });
          return gone.length > 0;
        }
        await say(
          "INSERT INTO hub_groups (name, members) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET members = excluded.members",
          [name, JSON.stringify(members)],
        );
        await note(say, now, { kind: "group.set", by: who, facts: { name, members: members.join(" ") } });
        return true;
      }),
    /** Also for what waits already and goes to nobody yet. The same project, kind and stakes: it takes the other's place. */
    setRoute: (route: Route, now: number, by: Changer = "host"): Promise<void> =>
      transaction(async (say) => {
        const who = await changerOf(say, by, now);
        const { project, kind, stakes, steps, afterMs } = route;
        const [id, stored] = [routeId(route), JSON.stringify(steps)];
        await say(
          `INSERT INTO hub_routes (id, project, kind, stakes, steps, after_ms) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (id) DO UPDATE SET steps = excluded.steps, after_ms = excluded.after_ms`,
          [id, project, kind, stakes ? 1 : 0, stored, afterMs],
        );
        const routed = await routeWaiting(say, now);
        noteTeam(say);
        const record = { record: `route ${id}`, is: recordOf.route({ id, steps: stored, afterMs }) };
        const facts = { ...record, project, kind, stakes, to: routeTo(steps), afterMs };
        await note(say, now, { kind: "route.set", by: who, facts }, ...routed);
      }),
    /** False: there was none. What was asked already goes on. */
    removeRoute: (route: RouteAbout, now: number, by: Changer = "host"): Promise<boolean> =>
      transaction(async (say) => {
        const who = await changerOf(say, by, now);
        const gone = await say("DELETE FROM hub_routes WHERE id = $1 RETURNING id", [routeId(route)]);
        const { project, kind, stakes } = route;
        noteTeam(say);
        if (gone.length > 0) await note(say, now, { kind: "route.removed", by: who, facts: { project, kind, stakes } });
        return gone.length > 0;
      }),
  };
}
