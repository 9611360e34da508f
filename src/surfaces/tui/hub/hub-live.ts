import type { HubClient } from "../../../client/hub-client.ts";
import { ParleyError } from "../../../core/error.ts";
import { pause } from "../../../machine/time/pause.ts";
import { type HubAskView, type HubMember, type HubNews, MOST_NAMED } from "../../../protocol/hub/hub.ts";

type Machines = NonNullable<HubNews["machines"]>;
/** `machines`: all there are now. `away` says why nothing comes; undefined: the hub is there again. */
export type HubHeard = {
  asks(asks: readonly HubAskView[]): void;
  gone(id: string): void;
  machines(machines: Machines): void;
  me(me: HubMember): void;
  away(why: string | undefined): void;
  complete(): void;
};
/** What fits on a screen, and from where on everything is news. */
export type HubFirst = { me: HubMember; news: HubNews; asks: HubAskView[]; next?: string | undefined };

const FIRST = 60;
const SETTLED = 200;
const SHORTEST_MS = 150;
const LONGEST_MS = 5000;

export async function firstOfHub(hub: HubClient): Promise<HubFirst> {
  // The place in the news before the list: what happens between the two is heard again, not missed.
  const [me, news] = await Promise.all([hub.me(), hub.news(undefined, new AbortController().signal)]);
  const { asks, next } = await hub.page({ state: "open", limit: FIRST });
  return { me, news, asks, next };
}

/** Keeps the inbox the same as the hub's. Contract: nothing is missed, also while the hub is away. */
export function createHubLive(hub: HubClient, heard: HubHeard, signal: AbortSignal) {
  /** Known here as open. */
  const open = new Set<string>();
  let isAway = false;
  /** What was told while the first list is still read: pages of it may be older. */
  let newer: Set<string> | undefined = new Set();

  function tell(asks: readonly HubAskView[]): void {
    for (const { id, state } of asks)
      if (state === "open") open.add(id);
      else open.delete(id);
    heard.asks(asks);
  }

  async function readOpen(from?: string): Promise<Set<string>> {
    const found = new Set<string>();
    for (let after = from, isFirst = true; (isFirst || after !== undefined) && !signal.aborted; isFirst = false) {
      const { asks, next } = await hub.page({ state: "open", after });
      asks.forEach(({ id }) => found.add(id));
      tell(from === undefined ? asks : asks.filter(({ id }) => !newer?.has(id)));
      after = next === after ? undefined : next;
    }
    return found;
  }

  /** More happened than is told one by one, or other questions are shown to this member. */
  async function readAnew(): Promise<void> {
    const before = [...open];
    const found = await readOpen();
    const gone = before.filter((each) => !found.has(each));
    for (let at = 0; at < gone.length && !signal.aborted; at += MOST_NAMED)
      await lookAtAll(gone.slice(at, at + MOST_NAMED));
  }

  async function lookAtAll(ids: readonly string[]): Promise<void> {
    const asks = await hub.asksNamed(ids).catch((error: unknown) => {
      if (error instanceof ParleyError && error.code === "not_found") return undefined;
      throw error;
    });
    // A hub of an earlier version is asked for each.
    if (!asks) for (const id of ids) await lookAt(id);
    else {
      const known = new Set(asks.map(({ id }) => id));
      tell(asks);
      ids.filter((id) => !known.has(id)).forEach(forget);
    }
  }

  function forget(id: string): void {
    open.delete(id);
    heard.gone(id);
  }

  async function lookAt(id: string): Promise<void> {
    try {
      tell([await hub.ask(id)]);
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== "not_found") throw error;
      forget(id);
    }
  }

  async function readRest(next: string | undefined): Promise<void> {
    if (next !== undefined) await readOpen(next);
    newer = undefined;
    heard.complete();
    tell((await hub.page({ state: "all", limit: SETTLED })).asks.filter(({ state }) => state !== "open"));
  }

  async function follow({ cursor: from, team: first }: HubNews): Promise<void> {
    let [cursor, team] = [from, first];
    await insist(async () => {
      // News may be long in coming: that it is there again is said before.
      if (isAway) heard.me(await hub.me());
      onLine(undefined);
      const news = await hub.news(cursor, signal);
      if (news.machines) heard.machines(news.machines);
      for (const { id } of news.asks) newer?.add(id);
      tell(news.asks);
      // Roles and policies are of what the team has in common: whose questions are seen here, and what they demand.
      const isTeamNew = news.team !== undefined && news.team !== team;
      if (isTeamNew) heard.me(await hub.me());
      if (news.reload || isTeamNew) await readAnew();
      [cursor, team] = [news.cursor, news.team ?? team];
      return false;
    }, onLine);
  }

  function onLine(why: string | undefined): void {
    isAway = why !== undefined;
    heard.away(why);
  }

  /** Until it says that it is done; what fails is tried again. */
  async function insist(work: () => Promise<boolean>, failed?: (why: string) => void): Promise<void> {
    for (let wait = SHORTEST_MS; !signal.aborted;) {
      try {
        if (await work()) return;
        wait = SHORTEST_MS;
      } catch (error) {
        if (signal.aborted) return;
        failed?.(wordsOf(error));
        await pause(wait, signal);
        wait = Math.min(wait * 1.7, LONGEST_MS);
      }
    }
  }

  return {
    start({ asks, next, news }: HubFirst): void {
      tell(asks);
      void follow(news);
      void insist(async () => (await readRest(next), true));
    },
  };
}

/** Which one it is stands in `PARLEY_HUB`. */
const wordsOf = (error: unknown): string => {
  if (error instanceof ParleyError && error.code === "hub_away") return "the hub is away, trying again …";
  return error instanceof Error ? error.message : String(error);
};
