import { isSnoozed } from "../../../core/ask/ask-state.ts";
import type { AskView, MismatchView, SessionView } from "../../../protocol/view.ts";
import type { BodyOf, ResultOf } from "../../../protocol/contract.ts";
import { ApiError, call, randomKey } from "./api.ts";
import { withAsks } from "./known-asks.ts";
import { listen } from "./live.ts";

/** Contract: a new object with every change; `open` is longest waiting first, what is snoozed last. */
export type Snapshot = {
  phase: "loading" | "signed-out" | "ready";
  isLive: boolean;
  open: readonly AskView[];
  asks: ReadonlyMap<string, AskView>;
  sessions: readonly SessionView[];
  /** Settled in this tab, newest first. */
  settledHere: readonly string[];
  /** Answers given in a page that the agent received otherwise, until they were read. */
  mismatches: readonly MismatchView[];
  /** Grows with everything that happens to a grant. */
  grantNews: number;
};
export type Settlement = Omit<BodyOf<"settleAsk">, "surface">;
export type Model = ReturnType<typeof createModel>;

/** What a screen shows: the first question can be answered before the other rows are there. */
const FIRST_PAGE = 20;
const PAGE = 500;
const GATHER_MS = 10;
const MANY = 25;
/** A browser's timers know no longer times. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What the daemon has, as this tab knows it. Everything comes from the API; events only say what to ask for again. */
export function createModel(heard: { arrived: (ask: AskView) => void; task: (id: string) => void }) {
  let asks = new Map<string, AskView>();
  const none = { open: [], sessions: [], settledHere: [], mismatches: [], grantNews: 0 };
  let snapshot: Snapshot = { phase: "loading", isLive: true, asks, ...none };
  const listeners = new Set<() => void>();
  const changed = new Set<string>();
  /** A link or a task pointed at them. */
  const looked = new Set<string>();
  /** About to be withdrawn: nobody needs to see them again. */
  const leaving = new Set<string>();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let sessionsDue: ReturnType<typeof setTimeout> | undefined;
  let returning: ReturnType<typeof setTimeout> | undefined;
  let stopListening = () => {};

  function update(part: Partial<Snapshot>): void {
    snapshot = { ...snapshot, ...part };
    for (const tell of listeners) tell();
  }

  function put(views: readonly AskView[]): void {
    if (views.length === 0) return;
    const here = new Set(snapshot.settledHere.slice(0, MANY));
    asks = withAsks(asks, views, (id) => here.has(id) || looked.has(id));
    sort();
  }

  function sort(): void {
    const at = Date.now();
    const open = [...asks.values()].filter((ask) => ask.state === "open" && !ask.outcome && !leaving.has(ask.id));
    const late = (ask: AskView) => Number(isSnoozed(ask, at));
    update({
      asks,
      open: open.toSorted((a, b) => late(a) - late(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    });
    // One that was snoozed comes back by itself.
    clearTimeout(returning);
    const next = Math.min(...open.filter((ask) => late(ask)).map(({ snoozedUntil = 0 }) => snoozedUntil));
    if (Number.isFinite(next)) returning = setTimeout(sort, Math.min(next - at + 1, LONGEST_TIMER_MS));
  }

  async function start(): Promise<void> {
    stopListening();
    try {
      // The place in the log first: what happens while the list is read is heard again, not lost.
      const { events } = await call("readLog", { query: { tail: "true", limit: 1 } });
      await readOpen();
      update({ phase: "ready", isLive: true });
      void readMismatches();
      void readSessions();
      stopListening = listen(events.at(-1)?.seq ?? 0, {
        event({ type, ask, task }) {
          if (type.startsWith("session.")) sessionsDue ??= setTimeout(() => void readSessions(), MANY);
          if (type.startsWith("grant.")) update({ grantNews: snapshot.grantNews + 1 });
          if (task !== undefined) heard.task(task);
          if (ask === undefined) return;
          changed.add(ask);
          gathering ??= setTimeout(() => void readChanged(), GATHER_MS);
        },
        state(isLive) {
          if (isLive !== snapshot.isLive) update({ isLive });
          if (!isLive) void checkSignedIn();
        },
      });
    } catch (error) {
      if (isSignedOut(error)) return update({ phase: "signed-out" });
      update({ isLive: false });
      setTimeout(() => void start(), 1000);
    }
  }

  /** The first page is shown before the others are asked for. */
  async function readOpen(): Promise<void> {
    for (let after: string | undefined, limit = FIRST_PAGE; ; limit = PAGE) {
      const query = { state: "open" as const, limit, after };
      const page: ResultOf<"listAsks"> = await call("listAsks", { query });
      put(page.asks);
      if (snapshot.phase === "loading") update({ phase: "ready" });
      if (page.next === undefined) return;
      if (after === undefined) await idle();
      after = page.next;
    }
  }

  async function readChanged(): Promise<void> {
    const ids = [...changed];
    changed.clear();
    gathering = undefined;
    const known = new Set(asks.keys());
    if (ids.length > MANY) await readOpen().catch(() => undefined);
    const wanted = ids.filter((id) => ids.length <= MANY || known.has(id));
    const views = await Promise.all(wanted.map((id) => call("getAsk", { id }).catch(() => undefined)));
    put(views.filter((view) => view !== undefined));
    if (views.some((view) => view?.state === "mismatched" && !view.told)) void readMismatches();
    for (const id of ids) {
      const ask = asks.get(id);
      if (ask?.state === "open" && !known.has(id)) heard.arrived(ask);
    }
  }

  async function readSessions(): Promise<void> {
    sessionsDue = undefined;
    const found = await call("listSessions", { query: { live: "true", limit: PAGE } }).catch(() => undefined);
    if (found) update(found);
  }

  /** Each comes once. */
  async function readMismatches(): Promise<void> {
    const body = { surface: "web" };
    const found = await call("tellMismatches", { body }).catch(() => undefined);
    if (found && found.mismatches.length > 0) update({ mismatches: [...snapshot.mismatches, ...found.mismatches] });
  }

  async function checkSignedIn(): Promise<void> {
    await call("status").catch((error: unknown) => {
      if (isSignedOut(error)) update({ phase: "signed-out" });
    });
  }

  function settledNow(ask: AskView): void {
    update({ settledHere: [ask.id, ...snapshot.settledHere.filter((id) => id !== ask.id)] });
    put([ask]);
  }

  return {
    place: "machine" as "machine" | "hub",
    start,
    get: () => snapshot,
    subscribe(tell: () => void): () => void {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    async dismiss(id: string): Promise<void> {
      await call("dismissSession", { id, body: { surface: "web" } }).catch(() => undefined);
    },
    forgetMismatches: () => update({ mismatches: [] }),
    /** Also one that is long done: a link may point at it. */
    async look(id: string): Promise<void> {
      looked.add(id);
      if (!asks.has(id)) put([await call("getAsk", { id })]);
    },
    /** Contract: throws what the daemon refuses; sent again with the same key, it still settles once. */
    async settle(ask: AskView, settlement: Settlement): Promise<void> {
      const body = { ...settlement, version: ask.version, surface: "web" };
      const once = randomKey();
      const send = () => call("settleAsk", { id: ask.id, body, once });
      const settled = await send().catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 0) return send();
        throw error;
      });
      settledNow(settled);
    },
    /** Approves it, where it waits, and what is like it for a while. */
    async give(ask: AskView, wish: Omit<BodyOf<"giveGrant">, "surface" | "dry">): Promise<void> {
      settledNow((await call("giveGrant", { id: ask.id, body: { ...wish, surface: "web" } })).ask);
    },
    /** Ends the task that asks; what it asked is withdrawn. */
    async markDone(task: string): Promise<void> {
      await call("taskDone", { id: task, body: { surface: "web" } });
      for (const { id, origin } of snapshot.open) if (origin.task === task) leaving.add(id);
      sort();
    },
    async snooze({ id }: AskView, minutes: number): Promise<void> {
      put([await call("snoozeAsk", { id, body: { minutes, surface: "web" } })]);
    },
    /** Asks for it again, after somebody else was first. */
    async refresh(id: string): Promise<void> {
      put([await call("getAsk", { id })]);
    },
  };
}

/** What is on the screen can be used before a thousand rows are read behind it. */
function idle(): Promise<void> {
  return new Promise((go) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => go(), { timeout: 500 });
    else setTimeout(go, 100);
  });
}

const isSignedOut = (error: unknown) => error instanceof ApiError && (error.status === 401 || error.status === 403);
