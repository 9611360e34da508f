import type { News } from "../protocol/hub/hub-page.ts";
import type { AskView } from "../protocol/view.ts";
import type { HubAsk, HubRecords } from "../store/hub/records.ts";
import { type AskViews, isSeenBy } from "./ask-views.ts";
import { digestOf } from "./digest.ts";
import { seesProjects } from "./may.ts";

const LOOK_MS = 1000;
/** Then the page asks again: nobody in between ends a line that says something so often. */
const HELD_MS = 20_000;
const MOST = 200;
/** So many tellings are remembered at least: who comes later looks at all machines. */
const REMEMBERED = 1000;
type Cursor = { state: string; read: Record<string, number>; hub?: string | undefined; seen?: number | undefined };
type Projects = readonly string[] | null;
/** Without news the cursor only says up to where it was looked. */
type Found = { cursor: Cursor; news?: Omit<News, "cursor"> };
type Deps = { records: HubRecords; views: AskViews };
export type HubNews = ReturnType<typeof createHubNews>;

/**
 * What pages follow, by a cursor of numbers per machine: whatever hub they ask next, nothing is missed. What comes to this
 * hub is told at once, and only its machine is read; what comes to others when it next looks at all of them.
 */
export function createHubNews({ records, views }: Deps) {
  const here = crypto.randomUUID().slice(0, 8);
  /** What was told in this hub, the newest last; null: look at all. A cursor says how many of these it has seen. */
  const told: (string | null)[] = [];
  let [dropped, isEnded] = [0, false];
  const waiting = new Set<() => void>();
  const timer = setInterval(() => tell(null), LOOK_MS);

  function tell(machine: string | null): void {
    told.push(machine);
    if (told.length > 2 * REMEMBERED) dropped += told.splice(0, REMEMBERED).length;
    waiting.forEach((wake) => wake());
  }

  /** Which machines to look at; null: at all of them. */
  function toldSince({ hub, seen }: Cursor): ReadonlySet<string> | null {
    const places = hub !== here || seen === undefined || seen < dropped ? [null] : told.slice(seen - dropped);
    const machines = places.filter((each) => each !== null);
    return machines.length < places.length ? null : new Set(machines);
  }

  const seenNow = () => ({ hub: here, seen: dropped + told.length });

  /** Of some machines: what happened since the cursor. Undefined: too much for one reply. */
  async function newsOf(before: Cursor, machines: Iterable<string>) {
    const found = await Promise.all(
      [...machines].map(async (id) => {
        const after = before.read[id] ?? 0;
        const news = await records.newsAfter(id, after, MOST + 1);
        return { id, n: news.at(-1)?.n ?? after, asks: news.map(({ ask }) => ask) };
      }),
    );
    const isFew = found.reduce((sum, { asks }) => sum + asks.length, 0) <= MOST;
    return isFew ? found.filter(({ asks }) => asks.length > 0) : undefined;
  }

  /** One round trip, unless there is more to say of the Asks: whoever asks, and what happened, are read at once. */
  async function fewSince(before: Cursor, machines: ReadonlySet<string>, may: () => Promise<Projects>) {
    const at = seenNow();
    const [projects, found] = await Promise.all([may(), newsOf(before, machines)]);
    if (!found) return allSince(before, may);
    if (found.length === 0) return { cursor: { ...before, ...at } };
    const read = { ...before.read, ...Object.fromEntries(found.map(({ id, n }) => [id, n])) };
    return { cursor: { ...before, ...at, read }, news: { asks: await seenOf(found, projects), reload: false } };
  }

  const seenOf = (found: readonly { asks: readonly HubAsk[] }[], projects: Projects) =>
    views.views(found.flatMap(({ asks }) => asks).filter(({ view }) => isSeenBy(projects, view as AskView)));

  async function allSince(before: Cursor | undefined, may: () => Promise<Projects>): Promise<Found> {
    const at = seenNow();
    const [projects, heads, team] = await Promise.all([may(), records.heads(), records.teamChanges()]);
    const machines = heads.map((each) => ({
      id: each.id,
      name: each.name,
      online: views.isOnline(each),
      seenAt: each.seenAt,
    }));
    const shown = machines.map(({ id, name, online }) => [id, name, online]);
    const state = digestOf(JSON.stringify([team, ...shown])).slice(0, 16);
    const read = Object.fromEntries(heads.map(({ id, n }) => [id, n]));
    const cursor = { state, read, ...at };
    if (!before) return { cursor, news: { machines, team, asks: [], reload: false } };
    const behind = heads.filter(({ id, n }) => n > (before.read[id] ?? 0)).map(({ id }) => id);
    if (behind.length === 0 && before.state === state) return { cursor: { ...before, ...at } };
    const found = await newsOf(before, behind);
    return { cursor, news: { machines, team, asks: await seenOf(found ?? [], projects), reload: !found } };
  }

  return {
    tell,
    /** Contract: at once without a cursor, else when there is something or after a while. Whoever asks is looked at again each time. */
    async news(request: Request, text: unknown): Promise<News> {
      const may = async () => seesProjects(await views.actor(request));
      const until = performance.now() + HELD_MS;
      const nothing: News = { cursor: String(text), asks: [], reload: false };
      for (let before = readCursor(text), isFirst = true; ; isFirst = false) {
        // Before the database is asked once more: the server waits only so long.
        if (isEnded && !isFirst) return nothing;
        const woken = Promise.withResolvers<void>();
        // Before looking: what comes meanwhile is looked at next.
        waiting.add(woken.resolve);
        request.signal.addEventListener("abort", () => woken.resolve());
        try {
          const machines = before && toldSince(before);
          const isNothing = machines?.size === 0;
          if (isNothing && isFirst) await may();
          const { cursor, news } =
            before && isNothing
              ? { cursor: before }
              : before && machines
                ? await fewSince(before, machines, may)
                : await allSince(before, may);
          if (news) return { cursor: written(cursor), ...news };
          if (request.signal.aborted || isEnded || performance.now() > until) return nothing;
          before = cursor;
          if (toldSince(before)?.size === 0) await woken.promise;
        } finally {
          waiting.delete(woken.resolve);
        }
      }
    },
    /** How many requests wait for news. */
    waiting: () => waiting.size,
    /** Whoever waits is answered. */
    stop(): void {
      isEnded = true;
      clearInterval(timer);
      tell(null);
    },
  };
}

const written = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

function readCursor(text: unknown): Cursor | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { state, read, hub, seen } = JSON.parse(Buffer.from(text, "base64url").toString()) as Cursor;
    const isWhole = typeof state === "string" && typeof read === "object" && read !== null;
    return isWhole ? { state, read, hub, seen: Number.isInteger(seen) ? seen : undefined } : undefined;
  } catch {
    return undefined;
  }
}

/** The same records, which say when something was written through them, and of which machine; null: of some. */
export function tellingRecords(records: HubRecords, tell: (machine: string | null) => void): HubRecords {
  const after =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>, of: (...args: A) => string | null | undefined) =>
    async (...args: A): Promise<T> => {
      // Before: a connection that ends is not known any more.
      const machine = of(...args) ?? null;
      const result = await work(...args);
      tell(machine);
      return result;
    };
  const named = ({ machine }: { machine: string }) => machine;
  return {
    ...records,
    takeAsks: after(records.takeAsks, records.machineAt),
    takeReceipt: after(records.takeReceipt, records.machineAt),
    putIntent: after(records.putIntent, named),
    takeBack: after(records.takeBack, named),
    claim: after(records.claim, named),
    release: after(records.release, named),
    // A stranger is no news: whoever dials would make all pages look.
    async connect(...given) {
      const machine = await records.connect(...given);
      if (machine) tell(null);
      return machine;
    },
    disconnect: after(records.disconnect, () => null),
    turnRoute: after(records.turnRoute, named),
    setRoute: after(records.setRoute, () => null),
    removeRoute: after(records.removeRoute, () => null),
    setGroup: after(records.setGroup, () => null),
    addPolicy: after(records.addPolicy, () => null),
    removePolicy: after(records.removePolicy, () => null),
    putTask: after(records.putTask, () => null),
    agreeToTask: after(records.agreeToTask, () => null),
    takeTaskBack: after(records.takeTaskBack, () => null),
    takeTaskReceipt: after(records.takeTaskReceipt, () => null),
    // A tab that shows another one may have shown one of another machine.
    look: after(records.look, () => null),
    endLook: after(records.endLook, () => null),
  };
}
