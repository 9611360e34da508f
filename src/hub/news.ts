import type { News } from "../protocol/hub-page.ts";
import type { HubRecords } from "../store/hub-records.ts";
import type { AskViews } from "./ask-views.ts";
import { digestOf } from "./digest.ts";
import { seesProjects } from "./may.ts";

const LOOK_MS = 1000;
/** Then the page asks again: nobody in between ends a line that says something so often. */
const HELD_MS = 20_000;
const MOST = 200;
type Cursor = { state: string; read: Record<string, number> };
type Deps = { records: HubRecords; views: AskViews };
export type HubNews = ReturnType<typeof createHubNews>;

/**
 * What pages follow, by a cursor of numbers per machine: whatever hub they ask next, nothing is missed. What comes to this
 * hub is told at once, what comes to others when it next looks.
 */
export function createHubNews({ records, views }: Deps) {
  const waiting = new Set<() => void>();
  const tell = () => waiting.forEach((wake) => wake());
  const timer = setInterval(tell, LOOK_MS);

  async function since(before: Cursor | undefined, projects: readonly string[] | null): Promise<News | undefined> {
    const heads = await records.heads();
    const machines = heads.map((each) => ({
      id: each.id,
      name: each.name,
      online: views.isOnline(each),
      seenAt: each.seenAt,
    }));
    const state = digestOf(JSON.stringify(machines.map(({ id, name, online }) => [id, name, online]))).slice(0, 16);
    const read = Object.fromEntries(heads.map(({ id, n }) => [id, n]));
    const cursor = Buffer.from(JSON.stringify({ state, read } satisfies Cursor)).toString("base64url");
    if (!before) return { cursor, machines, asks: [], reload: false };
    const behind = heads.filter(({ id, n }) => n > (before.read[id] ?? 0));
    if (behind.length === 0 && before.state === state) return undefined;
    const news = await Promise.all(
      behind.map(async ({ id }) => ({ id, asks: await records.newsOf(id, before.read[id] ?? 0, MOST + 1) })),
    );
    const reload = news.reduce((sum, { asks }) => sum + asks.length, 0) > MOST;
    const found = reload ? [] : await Promise.all(news.map(({ id, asks }) => records.asksOf(id, asks, projects)));
    return { cursor, machines, asks: await views.views(found.flat()), reload };
  }

  return {
    tell,
    /** Contract: at once without a cursor, else when there is something or after a while. Whoever asks is looked at again each time. */
    async news(request: Request, text: unknown): Promise<News> {
      const before = readCursor(text);
      const until = performance.now() + HELD_MS;
      for (;;) {
        const woken = Promise.withResolvers<void>();
        // Before looking: what comes meanwhile is looked at next.
        waiting.add(woken.resolve);
        request.signal.addEventListener("abort", () => woken.resolve());
        try {
          const found = await since(before, seesProjects(await views.actor(request)));
          if (found) return found;
          if (request.signal.aborted || performance.now() > until)
            return { cursor: String(text), machines: [], asks: [], reload: false };
          await woken.promise;
        } finally {
          waiting.delete(woken.resolve);
        }
      }
    },
    stop(): void {
      clearInterval(timer);
      tell();
    },
  };
}

function readCursor(text: unknown): Cursor | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { state, read } = JSON.parse(Buffer.from(text, "base64url").toString()) as Cursor;
    return typeof state === "string" && typeof read === "object" && read !== null ? { state, read } : undefined;
  } catch {
    return undefined;
  }
}

/** The same records, which say when something was written through them. */
export function tellingRecords(records: HubRecords, tell: () => void): HubRecords {
  const after =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const result = await work(...args);
      tell();
      return result;
    };
  return {
    ...records,
    takeAsks: after(records.takeAsks),
    takeReceipt: after(records.takeReceipt),
    putIntent: after(records.putIntent),
    takeBack: after(records.takeBack),
    claim: after(records.claim),
    release: after(records.release),
    connect: after(records.connect),
    disconnect: after(records.disconnect),
    turnRoute: after(records.turnRoute),
    look: after(records.look),
    endLook: after(records.endLook),
  };
}
