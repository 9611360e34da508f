import type { Ask } from "../core/ask.ts";
import { ParleyError, type Problem } from "../core/error.ts";
import type { Actor } from "../core/outcome.ts";
import type { Question } from "../core/question.ts";
import { validateStrict } from "../core/strict.ts";
import type { ConfigFiles } from "../machine/config-file.ts";
import type { BodyOf, EndpointName, QueryOf, ResultOf } from "../protocol/contract.ts";
import type { Status } from "../protocol/view.ts";
import { ACTIVE, DONE, type AskQuery, type Store } from "../store/store.ts";
import type { Holds } from "../channel/holds.ts";
import type { Hooks } from "./hooks.ts";
import type { Captured, Clock, Inbox } from "./inbox.ts";
import type { Notifications } from "./notify/notifications.ts";
import type { Runner } from "../runner/runner.ts";
import { createTaskRoutes } from "./task-routes.ts";

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
  runner: Runner;
  config: ConfigFiles;
  notifications: Notifications;
  now: Clock;
  self: { version: string; instance: string };
  status: () => Omit<Status, "asks" | "sessions">;
  welcome: () => Promise<void>;
  stop: () => void;
};

const SETTLING = new Set(["ask.settled", "ask.ended", "ask.closed"]);
const STATES: Record<string, AskQuery["states"]> = { open: ["open"], active: ACTIVE, done: DONE };

/** What each endpoint of the contract does. */
export function createRoutes(deps: Deps): Routes {
  const { store, inbox, holds, hooks, config, notifications, now, self, status, welcome, stop } = deps;
  /** Who asked through the API and waits for the answer right now. */
  const askers = new Set<{ id: string }>();
  const view = (ask: Ask) =>
    inbox.view(
      ask,
      ask.deliveries.some((delivery) => holds.isHeld(ask, delivery)) || [...askers].some(({ id }) => id === ask.id),
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
      const { questions, prefill } = checked;
      const { timeout, assume } = body;
      refuseUnknownOptions(questions, { "timeout.choose": timeout?.choose, assume });
      const captured: Captured = {
        kind: "question",
        questions,
        origin: { ...body.origin, agent: body.origin?.agent ?? "script" },
        key: "fetch",
        channel: "fetch",
        ...(timeout && {
          deadline: { at: now() + timeout.ms, ...(timeout.choose !== undefined && { choose: timeout.choose }) },
        }),
        ...(prefill && { prefill }),
        ...(assume !== undefined && { assumption: assume }),
      };
      return view(await inbox.once(once && `create ${once}`, body, (key) => inbox.create(captured, key)));
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
      const asker = { id };
      askers.add(asker);
      const settled = await settledWithin(id, wait, gone).finally(() => askers.delete(asker));
      // Nobody is there to take it: it stays for the next call.
      if (!settled?.outcome || gone.aborted) return { sentence: view(ask).sentence };
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
    async config({ query: { cwd } }) {
      const { values: _values, ...view } = await config.current(cwd);
      return view;
    },
    notifyTest: ({ body: { channel } }) => notifications.test(channel),
    ...createTaskRoutes(deps),
    welcome: async () => (await welcome(), {}),
    async shutdown() {
      stop();
      return { stopping: true };
    },
    hookCall: ({ body, gone }) => hooks.call(body, gone),
    hookAck: async ({ body }) => (await hooks.ack(body), {}),
    hookRelease: async ({ body }) => (await hooks.release(body), {}),
  };

  /** Listens before it looks, so that no settlement falls between the two. */
  async function settledWithin(id: string, ms: number, gone: AbortSignal): Promise<Ask | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const off = store.onCommit((events) => {
      if (events.some(({ ask, type }) => ask === id && SETTLING.has(type))) resolve();
    });
    const timer = setTimeout(resolve, ms);
    gone.addEventListener("abort", () => resolve(), { once: true });
    if ((await store.ask(id))?.outcome) resolve();
    await promise.finally(() => (off(), clearTimeout(timer)));
    return store.ask(id);
  }
}

/** A stated choice answers the one question there is; with several it would leave the others open. */
function refuseUnknownOptions(questions: readonly Question[], stated: Record<string, number | undefined>): void {
  const [question, ...others] = questions;
  const problems = Object.entries(stated).flatMap(([field, pick]): Problem[] => {
    if (pick === undefined) return [];
    if (others.length > 0)
      return [
        { field, message: "A stated option needs a single question", limit: "1", actual: String(questions.length) },
      ];
    const last = (question?.options.length ?? 0) - 1;
    return pick > last
      ? [{ field, message: `There is no option ${pick + 1}`, limit: `0-${last}`, actual: String(pick) }]
      : [];
  });
  if (problems.length > 0)
    throw new ParleyError("invalid", problems.map(({ message }) => message).join("; "), { problems });
}
