import { expect, test } from "bun:test";
import type { HubClient } from "../../../client/hub-client.ts";
import { ParleyError } from "../../../core/error.ts";
import type { HubAskView, HubMember, HubNews } from "../../../protocol/hub/hub.ts";
import { eventually } from "../../../../test/patience.ts";
import { createHubLive } from "./hub-live.ts";

const ask = (id: string, project: string) => ({ id, state: "open", version: 1, origin: { project } }) as HubAskView;
const news = (cursor: string, team: string) => ({ cursor, team, asks: [], machines: [] }) as unknown as HubNews;

/** A hub that shows a member the questions of their projects, and tells nothing until it is let. */
function playedHub(asks: readonly HubAskView[], projects: string[]) {
  const told = Promise.withResolvers<HubNews>();
  let isTold = false;
  const seen = () => asks.filter(({ origin }) => projects.includes(origin.project ?? ""));
  const hub = {
    me: async () => ({ id: "ann", name: "Ann", grants: [] }) as unknown as HubMember,
    page: async () => ({ asks: seen() }),
    async ask(id: string) {
      const found = seen().find((each) => each.id === id);
      if (!found) throw new ParleyError("not_found", "No such question");
      return found;
    },
    asksNamed: async (ids: readonly string[]) => seen().filter(({ id }) => ids.includes(id)),
    news: () => (isTold ? new Promise<HubNews>(() => undefined) : ((isTold = true), told.promise)),
  };
  return {
    hub: hub as unknown as HubClient,
    give(next: string[]): void {
      projects = next;
      told.resolve(news("2", "t2"));
    },
  };
}

test.each([
  ["shows what is open in a project they were given", ["site"], ["site", "shop"], ["a", "b"]],
  ["no longer shows what is open in one that was taken from them", ["site", "shop"], ["shop"], ["b"]],
])("[HI15] the inbox of a member whose roles change %s", async (_what, before, after, wanted) => {
  const played = playedHub([ask("a", "site"), ask("b", "shop")], before);
  const ending = new AbortController();
  const known = new Set<string>();
  const isComplete = Promise.withResolvers<void>();
  const live = createHubLive(
    played.hub,
    {
      asks: (asks) => asks.forEach(({ id }) => known.add(id)),
      gone: (id) => void known.delete(id),
      machines: () => undefined,
      me: () => undefined,
      away: () => undefined,
      complete: isComplete.resolve,
    },
    ending.signal,
  );
  const { asks } = await played.hub.page({ state: "open" });
  live.start({ me: await played.hub.me(), news: news("1", "t1"), asks });
  await isComplete.promise;
  played.give(after);
  await eventually(() => expect([...known].toSorted()).toEqual(wanted));
  ending.abort();
});

test.each([
  ["a hub that is asked for many at once", true],
  ["a hub of an earlier version", false],
])(
  "[HI19] after more news than are told one by one, what is not open any more is looked at together: %s",
  async (_what, isNew) => {
    const asks = Array.from({ length: 1200 }, (_, i) => ask(`a${i}`, "site"));
    const [over, gone] = [new Set(["a1", "a700"]), new Set(["a2", "a1100"])];
    let isReloaded = false;
    const told = Promise.withResolvers<HubNews>();
    const asked = { one: 0, many: 0 };
    const find = (id: string) => {
      const found = asks.find((each) => each.id === id && !gone.has(id));
      return found && ({ ...found, state: over.has(id) ? "closed" : "open" } as HubAskView);
    };
    // All but ten are no longer on the list.
    const page = async ({ state }: { state: string }) => ({
      asks: isReloaded ? (state === "open" ? asks.slice(-10) : []) : state === "open" ? asks : [],
    });
    const hub = {
      me: async () => ({ id: "ann", name: "Ann", grants: [] }) as unknown as HubMember,
      page,
      async ask(id: string) {
        asked.one++;
        const found = find(id);
        if (!found) throw new ParleyError("not_found", "No such question");
        return found;
      },
      async asksNamed(ids: readonly string[]) {
        asked.many++;
        if (!isNew) throw new ParleyError("not_found", "No POST /api/asks");
        return ids.flatMap((id) => find(id) ?? []);
      },
      news: () => (isReloaded ? new Promise<HubNews>(() => undefined) : told.promise),
    } as unknown as HubClient;
    const ending = new AbortController();
    const [known, left] = [new Map<string, string>(), new Set<string>()];
    const isComplete = Promise.withResolvers<void>();
    const heard = {
      asks: (found: readonly HubAskView[]) => found.forEach(({ id, state }) => known.set(id, state)),
      gone: (id: string) => void left.add(id),
      machines: () => undefined,
      me: () => undefined,
      away: () => undefined,
      complete: isComplete.resolve,
    };
    createHubLive(hub, heard, ending.signal).start({ me: await hub.me(), news: news("1", "t1"), asks });
    await isComplete.promise;
    isReloaded = true;
    told.resolve({ ...news("2", "t1"), reload: true });
    await eventually(() => expect(left).toEqual(gone));
    expect([known.get("a1"), known.get("a700"), known.get("a3")]).toEqual(["closed", "closed", "open"]);
    expect(asked).toEqual({ many: 3, one: isNew ? 0 : 1190 });
    ending.abort();
  },
);
