import type { Ask } from "../core/ask.ts";
import { ParleyError } from "../core/error.ts";
import type { Actor } from "../core/outcome.ts";
import { validateStrict } from "../core/strict.ts";
import type { BodyOf, EndpointName, QueryOf, ResultOf } from "../protocol/contract.ts";
import type { Status } from "../protocol/view.ts";
import { ACTIVE, DONE, type AskQuery, type Store } from "../store/store.ts";
import type { Holds } from "../channel/holds.ts";
import type { Hooks } from "./hooks.ts";
import type { Clock, Inbox } from "./inbox.ts";

export type Incoming<N extends EndpointName> = {
  id: string;
  query: QueryOf<N>;
  body: BodyOf<N>;
  once: string | undefined;
  gone: AbortSignal;
};
export type Routes = { [N in EndpointName]: (input: Incoming<N>) => Promise<ResultOf<N>> };
type Deps = {
  store: Store;
  inbox: Inbox;
  holds: Holds;
  hooks: Hooks;
  now: Clock;
  self: { version: string; instance: string };
  status: () => Omit<Status, "asks" | "sessions">;
  stop: () => void;
};

const STATES: Record<string, AskQuery["states"]> = { open: ["open"], active: ACTIVE, done: DONE };

/** What each endpoint of the contract does. */
export function createRoutes({ store, inbox, holds, hooks, now, self, status, stop }: Deps): Routes {
  const view = (ask: Ask) =>
    inbox.view(
      ask,
      ask.deliveries.some((delivery) => holds.isHeld(ask, delivery)),
    );

  return {
    health: async () => ({ parley: self.version, pid: process.pid, instance: self.instance }),
    async status() {
      const [open, undelivered, live] = await Promise.all([
        store.count(["open"]),
        store.count(["settled"]),
        store.sessions({ live: true, limit: 500 }),
      ]);
      return { ...status(), asks: { open, undelivered }, sessions: live.length } as Status;
    },
    async listAsks({ query: { state, kind, project, session, limit, after } }) {
      const states = state === "all" ? undefined : (STATES[state] ?? ([state] as AskQuery["states"]));
      const newest = state === "done" || state === "all";
      const asks = await store.list({
        order: newest ? "newest" : "oldest",
        limit,
        ...(states && { states }),
        ...(kind && { kind }),
        ...(project !== undefined && { project }),
        ...(session !== undefined && { session }),
        ...(after !== undefined && { after: (await inbox.get(after)).id }),
      });
      const last = asks.length === limit ? asks.at(-1) : undefined;
      return { asks: asks.map(view), ...(last && { next: last.id }) };
    },
    getAsk: async ({ id }) => view(await inbox.get(id)),
    async createAsk({ body, once }) {
      const checked = validateStrict(body);
      if (!checked.ok)
        throw new ParleyError("invalid", checked.problems[0]?.message ?? "invalid", { problems: checked.problems });
      const origin = { agent: "script", ...body.origin };
      const { questions } = checked;
      const ask = await inbox.once(once && `create ${once}`, body, (key) =>
        inbox.create(
          {
            kind: "question",
            questions,
            origin: { ...origin, agent: origin.agent ?? "script" },
            key: "fetch",
            channel: "fetch",
          },
          key,
        ),
      );
      return view(ask);
    },
    async settleAsk({ id, body, once }) {
      const actor: Actor =
        body.session === undefined
          ? { type: "person", surface: body.surface }
          : { type: "agent", surface: body.surface, session: body.session };
      const ask = await inbox.once(once && `settle ${once}`, { id, ...body }, (key) =>
        inbox.settle(id, body, actor, key),
      );
      return view(ask);
    },
    async receiveAnswer({ id, query: { wait }, gone }) {
      const ask = await store.ask(id);
      if (!ask || ask.deliveries[0]?.channel !== "fetch")
        throw new ParleyError("not_found", `No ask "${id}" made through the API`);
      const settled = ask.outcome ? ask : await settledWithin(id, wait, gone);
      if (!settled?.outcome) return { sentence: view(ask).sentence };
      const taken = await inbox.change(id, ({ state }) =>
        state === "settled"
          ? [
              { type: "ask.sent", key: "fetch", channel: "fetch" },
              { type: "ask.verified", key: "fetch", detail: "taken by the asker" },
            ]
          : [],
      );
      return { outcome: settled.outcome, sentence: view(taken).sentence };
    },
    listSessions: async ({ query }) => ({ sessions: await store.sessions(query) }),
    async readLog({ query: { ask, after, tail, limit } }) {
      return {
        events: await store.events({
          after,
          limit,
          newest: tail,
          ...(ask !== undefined && { ask: (await inbox.get(ask)).id }),
        }),
      };
    },
    prune: async ({ body: { days } }) => ({ removed: await store.prune(now() - days * 86_400_000) }),
    async shutdown() {
      stop();
      return { stopping: true };
    },
    hookCall: ({ body, gone }) => hooks.call(body, gone),
    hookAck: async ({ body }) => (await hooks.ack(body), {}),
    hookRelease: async ({ body }) => (await hooks.release(body), {}),
  };

  function settledWithin(id: string, ms: number, gone: AbortSignal): Promise<Ask | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const off = store.onCommit((events) => {
      if (events.some((event) => event.ask === id && event.type !== "ask.captured")) resolve();
    });
    const timer = setTimeout(resolve, ms);
    gone.addEventListener("abort", () => resolve(), { once: true });
    return promise.finally(() => (off(), clearTimeout(timer))).then(() => store.ask(id));
  }
}
