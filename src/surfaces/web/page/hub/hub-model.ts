import { isAnswered, isFor } from "../../../../core/hub-ask.ts";
import { hubMismatchesOf } from "../../../../core/receipt/hub-mismatch.ts";
import type { HubAskView } from "../../../../protocol/hub/hub.ts";
import type { HubHere, MachineState } from "../../../../protocol/hub/hub-page.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { ApiError, randomKey } from "../api.ts";
import type { Model, Settlement, Snapshot } from "../model.ts";
import { hub } from "./hub-api.ts";
import { readMismatches } from "./mismatched.ts";
import { signApproval } from "./sign-approval.ts";

/**
 * Contract: a new object with every change; `open` waits for an answer: what is asked of this member first, then longest
 * first, what was answered but not received last.
 */
export type HubSnapshot = Omit<Snapshot, "open" | "asks"> & {
  open: readonly HubAskView[];
  asks: ReadonlyMap<string, HubAskView>;
  machines: readonly MachineState[];
  here: HubHere | undefined;
  /** Another one when what the team has in common was changed. */
  team: string | undefined;
  /** Why nobody is signed in here any more, where somebody else saw to it. */
  why: string | undefined;
};
export type HubModel = ReturnType<typeof createHubModel>;

/** What a screen shows: the first question can be answered before the other rows are there. */
const FIRST_PAGE = 20;
const PAGE = 500;
const LATEST = 100;
const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 5000;

/** What the hub has, as this tab knows it: read once, then followed by its news. */
export function createHubModel(heard: { arrived: (ask: AskView) => void }) {
  let asks = new Map<string, HubAskView>();
  const none = { sessions: [], settledHere: [], mismatches: [], grantNews: 0 };
  let snapshot: HubSnapshot = {
    phase: "loading",
    isLive: true,
    open: [],
    asks,
    machines: [],
    here: undefined,
    team: undefined,
    why: undefined,
    ...none,
  };
  const listeners = new Set<() => void>();
  let following: AbortController | undefined;

  function update(part: Partial<HubSnapshot>): void {
    snapshot = { ...snapshot, ...part };
    for (const tell of listeners) tell();
  }

  /** `told`: the machines there are now. Whoever left takes along what was asked there. */
  function put(views: readonly HubAskView[], told?: readonly MachineState[]): void {
    const machines = told ?? snapshot.machines;
    asks = new Map(asks);
    for (const view of views) if ((asks.get(view.id)?.version ?? -1) <= view.version) asks.set(view.id, view);
    const known = new Map(machines.map((each) => [each.id, each]));
    const open: HubAskView[] = [];
    for (const [id, ask] of asks) {
      const machine = known.get(ask.machine.id);
      if (told && !machine) asks.delete(id);
      else if (machine && machine.online !== ask.machine.online) asks.set(id, { ...ask, machine });
      const now = asks.get(id);
      if (now?.state === "open" && !now.outcome) open.push(now);
    }
    const me = snapshot.here?.member.id;
    const late = (ask: HubAskView) => (isAnswered(ask) ? 2 : isFor(ask, me, Date.now()) ? 0 : 1);
    const places = new Map(open.map((ask) => [ask, late(ask)]));
    const place = (ask: HubAskView) => places.get(ask) ?? 1;
    mismatched(views);
    update({
      asks,
      machines,
      open: open.toSorted((a, b) => place(a) - place(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    });
  }

  /** What this member answered and the agent received otherwise is said until it was read. */
  function mismatched(views: readonly HubAskView[]): void {
    const known = new Set(snapshot.mismatches.map(({ ask }) => ask));
    const found = views.flatMap((view) => {
      const texts = hubMismatchesOf(view, snapshot.here?.member.id, Date.now());
      if (texts.length === 0 || known.has(view.id) || readMismatches.has(view.id)) return [];
      return [{ ask: view.id, at: view.updatedAt, text: texts.join("\n\n") }];
    });
    if (found.length > 0) update({ mismatches: [...snapshot.mismatches, ...found] });
  }

  /** The first page is shown before the others are asked for. */
  async function readOpen(): Promise<void> {
    const found = new Set<string>();
    // At once: each is a way there and back.
    const [mine, first] = await Promise.all([hub.mine(PAGE), hub.open(FIRST_PAGE)]);
    for (let page = first, shown = mine.asks; ; page = await hub.open(PAGE, page.next), shown = []) {
      page.asks.forEach(({ id }) => found.add(id));
      put([...shown, ...page.asks]);
      if (snapshot.phase === "loading") update({ phase: "ready" });
      if (page.next === undefined) break;
    }
    // What is open no more, and was told while nobody listened; or is shown to this member no longer.
    const gone = [...asks.values()].filter(({ id, state }) => state === "open" && !found.has(id));
    const views = await Promise.all(gone.map(({ id }) => hub.ask(id).catch((error: unknown) => orHidden(id, error))));
    put(views.filter((view) => view !== undefined));
  }

  function orHidden(id: string, error: unknown): undefined {
    if (error instanceof ApiError && error.code === "not_found") asks.delete(id);
  }

  async function start(): Promise<void> {
    following?.abort();
    following = new AbortController();
    const { signal } = following;
    try {
      // The place in the news first: what happens while the list is read is heard again, not lost.
      const [here, { cursor, machines = [], team }] = await Promise.all([hub.here(), hub.news(undefined, signal)]);
      update({ here, machines, team, why: undefined });
      await readOpen();
      update({ phase: "ready", isLive: true });
      void follow(cursor, signal);
      // While nobody looked.
      void hub.latest(LATEST).then(
        ({ asks: latest }) => mismatched(latest),
        () => undefined,
      );
    } catch (error) {
      if (signal.aborted) return;
      if (isSignedOut(error)) return signedOut(error);
      update({ isLive: false });
      setTimeout(() => void start(), 1000);
    }
  }

  async function follow(from: string, signal: AbortSignal): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    for (let cursor = from; !signal.aborted;) {
      try {
        // News may be long in coming: that the hub is there again is said before.
        if (!snapshot.isLive) update({ here: await hub.here(), isLive: true });
        const news = await hub.news(cursor, signal);
        const fresh = news.asks.filter((ask) => ask.state === "open" && !asks.has(ask.id));
        if (news.cursor !== cursor) put(news.asks, news.machines);
        // Roles and policies are of what the team has in common: whose questions are seen here, and what they demand.
        const isTeamNew = news.team !== undefined && news.team !== snapshot.team;
        if (isTeamNew) update({ here: await hub.here() });
        if (news.reload || isTeamNew) await readOpen();
        if (isTeamNew) update({ team: news.team });
        // What goes to somebody else is theirs to be told of.
        const mine = (ask: HubAskView) => ask.route === undefined || isFor(ask, snapshot.here?.member.id, Date.now());
        fresh.filter((ask) => !isAnswered(ask) && mine(ask)).forEach(heard.arrived);
        ({ cursor } = news);
        pause = FIRST_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        if (isSignedOut(error)) return signedOut(error);
        if (snapshot.isLive) update({ isLive: false });
        await new Promise((go) => setTimeout(go, pause));
        pause = Math.min(pause * 1.7, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Nothing of what was seen here stays. */
  function signedOut(error?: ApiError): void {
    asks = new Map();
    const why = error?.code === "signed_out" ? error.message : undefined;
    update({ phase: "signed-out", why, open: [], asks, here: undefined, settledHere: [], mismatches: [] });
  }

  function answered(ask: HubAskView): void {
    update({ settledHere: [ask.id, ...snapshot.settledHere.filter((id) => id !== ask.id)] });
    put([ask]);
  }

  const nothing = async (): Promise<void> => undefined;
  const model = {
    /** Only what a hub carries: neither snooze nor grants nor changed calls. */
    place: "hub" as const,
    start,
    get: () => snapshot,
    subscribe(tell: () => void): () => void {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    async look(id: string): Promise<void> {
      if (!asks.has(id)) put([await hub.ask(id)]);
    },
    async refresh(id: string): Promise<void> {
      put([await hub.ask(id)]);
    },
    /** Contract: throws what the hub refuses; sent again with the same key, it still counts once. */
    async settle(ask: AskView, { action, answers, message }: Settlement): Promise<void> {
      const decided = { action, ...(answers && { answers }), ...(message && { message }) };
      const shown = ask as HubAskView;
      // Exactly what stands on this page is signed.
      const signature =
        shown.needs?.signed === true ? await signApproval(shown, decided, snapshot.here?.passkeys ?? []) : undefined;
      const body = { ...decided, version: ask.version, ...(signature && { signature }) };
      const once = randomKey();
      const send = () => hub.answer(ask.id, body, once);
      const taken = await send().catch(async (error: unknown) => {
        if (error instanceof ApiError && error.status === 0) return send();
        // It has to be signed since: the person sees that now, and confirms again.
        if (error instanceof ApiError && error.code === "forbidden") await hub.ask(ask.id).then((view) => put([view]));
        throw error;
      });
      if (isAnswered(taken)) answered(taken);
      else put([taken]);
    },
    async claim(id: string, to?: string): Promise<void> {
      put([await hub.claim(id, to)]);
    },
    /** Contract: still `sent` where its machine may have it and is asked for it. */
    async takeBack(id: string): Promise<HubAskView> {
      const view = await hub.takeBack(id);
      put([view]);
      return view;
    },
    async release(id: string): Promise<void> {
      put([await hub.release(id)]);
    },
    async readHere(): Promise<void> {
      update({ here: await hub.here() });
    },
    async leave(): Promise<void> {
      following?.abort();
      await hub.leave().catch(() => undefined);
      signedOut();
    },
    dismiss: nothing,
    forgetMismatches(): void {
      readMismatches.add(snapshot.mismatches.map(({ ask }) => ask));
      update({ mismatches: [] });
    },
    give: nothing,
    markDone: nothing,
    snooze: nothing,
  };
  return model satisfies Model;
}

const isSignedOut = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 401;
