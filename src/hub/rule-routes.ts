import { STAKES } from "../core/autopilot/stake/stake.ts";
import { ParleyError } from "../core/error.ts";
import { HUB_PATHS } from "../protocol/hub/hub-address.ts";
import { type HubRules, RuleChange } from "../protocol/hub/hub-rules.ts";
import type { HubRecords } from "../store/hub/records.ts";
import { type Acting, type AskViews, bodyOf } from "./ask-views.ts";
import { isAdmin, seesProjects } from "./may.ts";
import { createPolicyAdmin, POLICY_KINDS } from "./admin/policy-admin.ts";
import { createRouteAdmin } from "./admin/route-admin.ts";
import { safelyParse } from "../core/safely-parse.ts";

/** What the team has agreed on: whoever belongs to it sees it, an admin changes it. Undefined: not for us. */
export function createRuleRoutes({ records, now, views }: { records: HubRecords; now: () => number; views: AskViews }) {
  async function rules(who: Acting): Promise<HubRules> {
    const projects = seesProjects(who);
    const isSeen = ({ project }: { project: string | null }) =>
      project === null || projects === null || projects.includes(project);
    const { routes, groups } = createRouteAdmin(records, now);
    return {
      routes: (await routes()).filter(isSeen),
      groups: await groups(),
      policies: (await records.policies()).filter(isSeen),
      kinds: POLICY_KINDS,
      policyKinds: POLICY_KINDS,
      stakes: STAKES,
    };
  }

  async function apply(wish: RuleChange, token: string): Promise<unknown> {
    const routes = createRouteAdmin(records, now, { token });
    const policies = createPolicyAdmin(records, now, { token });
    switch (wish.change) {
      case "set-route":
        return routes.setRoute(wish);
      case "remove-route":
        return routes.removeRoute(wish);
      case "set-group":
        // Only "remove" removes: nobody may have been chosen yet.
        if (wish.members.length === 0) throw new ParleyError("usage", "Who is in it? Choose at least one member");
        return routes.setGroup(wish.name, wish.members);
      case "remove-group":
        return routes.setGroup(wish.name, []);
      case "set-policy":
        return policies.addPolicy(wish, wish.instead);
      case "remove-policy":
        return policies.removePolicy(wish.id);
    }
  }

  return async function handle(request: Request): Promise<object | undefined> {
    if (new URL(request.url).pathname !== HUB_PATHS.rules) return undefined;
    if (request.method !== "GET" && request.method !== "POST") return undefined;
    const who = await views.actor(request);
    if (request.method === "POST") {
      // Before anything is looked up: a refusal says nothing of what there is. Looked at again where it is changed.
      if (!isAdmin(who)) throw new ParleyError("forbidden", "Only an admin of all projects changes this");
      const parsed = safelyParse(RuleChange, await bodyOf(request));
      if (!parsed.success) throw new ParleyError("invalid", "This is no change a hub knows");
      await apply(parsed.data, who.token);
    }
    return rules(who);
  };
}
