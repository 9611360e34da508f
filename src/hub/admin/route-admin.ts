import { ParleyError } from "../../core/error.ts";
import { calledAs } from "../../core/hub-called.ts";
import { TASK_KIND } from "../../core/hub-names.ts";
import { EVERYBODY, inOrder, type RouteStep } from "../../core/hub-route.ts";
import { safeLine } from "../../core/text/text.ts";
import type { Changer } from "../../store/hub/acting.ts";
import type { HubRecords } from "../../store/hub/records.ts";
import { POLICY_KINDS, projectOf } from "./policy-admin.ts";

export type RouteWish = { project?: string | undefined; kind?: string | undefined; stakes: boolean };
const MOST_STEPS = 10;

/** Whom questions go to, and groups of people: what an admin sets, by names. Contract: throws a `ParleyError` for a name that is none. */
export function createRouteAdmin(records: HubRecords, now: () => number, by: Changer = "host") {
  const active = async () => (await records.members()).filter(({ revokedAt }) => revokedAt === null);
  const named = (name: string) => `"${safeLine(name, { max: 40 })}"`;

  /** In the order in which they are tried: the first that is for a question counts. */
  async function routes() {
    // As they are called now: somebody else may have the name of one who was revoked.
    const people = new Map((await records.members()).map(({ id, name }) => [id, name]));
    return inOrder(await records.routes()).map(({ steps, ...rest }) => ({
      ...rest,
      to: steps.map(({ type, id, name }) => ({ type, name: (type === "member" && people.get(id)) || name })),
    }));
  }

  async function groups() {
    const people = new Map((await active()).map(({ id, name }) => [id, name]));
    return (await records.groups()).map(({ name, members }) => ({
      name,
      members: members.flatMap((id) => people.get(id) ?? []),
    }));
  }

  /** `group:ops` where a member has that name too. */
  async function stepOf(typed: string): Promise<RouteStep> {
    const [, only] = /^group:(.+)$/.exec(typed) ?? [];
    const group = [...(await records.groups()), { name: EVERYBODY }].find(({ name }) => name === (only ?? typed));
    const member = (await active()).find(({ id, name }) => only === undefined && (id === typed || name === typed));
    if (group && member)
      throw new ParleyError("ambiguous", `${named(typed)} is a member and a group: write group:${safeLine(typed)}`);
    if (member) return { type: "member", id: member.id, name: member.name };
    if (group) return { type: "group", id: group.name, name: group.name };
    throw new ParleyError("not_found", `No member and no group is called ${named(typed)}. See: parley hub members`);
  }

  const about = ({ project, kind, stakes }: RouteWish) => {
    if (kind !== undefined && !POLICY_KINDS.includes(kind))
      throw new ParleyError("usage", `--kind: one of ${POLICY_KINDS.join(", ")}`);
    if (kind === TASK_KIND && stakes)
      throw new ParleyError("usage", "What a task risks is asked when its agent does it: leave out what is at stake");
    return { project: projectOf(project), kind: kind ?? null, stakes };
  };

  return {
    routes,
    groups,
    async setRoute(wish: RouteWish & { to: readonly string[]; ms: number }) {
      if (wish.to.length === 0) throw new ParleyError("usage", "To whom? Name a member or a group");
      if (wish.to.length > MOST_STEPS)
        throw new ParleyError("usage", `A question goes to at most ${MOST_STEPS} of them`);
      const steps: RouteStep[] = [];
      for (const typed of wish.to) steps.push(await stepOf(typed));
      const route = { ...about(wish), steps, afterMs: wish.ms };
      await records.setRoute(route, now(), by);
      return { ...about(wish), afterMs: wish.ms, to: steps.map(({ type, name }) => ({ type, name })) };
    },
    async removeRoute(wish: RouteWish) {
      if (await records.removeRoute(about(wish), now(), by)) return { ...about(wish), removed: true };
      throw new ParleyError("not_found", "There is no such route. See: parley hub route");
    },
    /** With nobody in it the group is no more. */
    async setGroup(typed: string, members: readonly string[]) {
      const name = calledAs(typed);
      if (name === "" || name === EVERYBODY || name.startsWith("group:"))
        throw new ParleyError("usage", `A group cannot be called ${named(typed)}`);
      const people = await active();
      const ids = members.map((each) => {
        const found = people.find((person) => person.id === each || person.name === each);
        if (!found) throw new ParleyError("not_found", `No member is called ${named(each)}. See: parley hub members`);
        return found.id;
      });
      const isThere = await records.setGroup({ name, members: [...new Set(ids)] }, now(), by);
      if (!isThere) throw new ParleyError("not_found", `No group is called ${named(typed)}. See: parley hub group`);
      return { name, members: people.filter(({ id }) => ids.includes(id)).map((person) => person.name) };
    },
  };
}
