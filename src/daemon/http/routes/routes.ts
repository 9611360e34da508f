import type { Ask } from "../../../core/ask/ask.ts";
import { ParleyError, type Problem } from "../../../core/error.ts";
import { withdraw } from "../../../core/receipt/judge.ts";
import type { Actor } from "../../../core/ask/outcome.ts";
import type { Question } from "../../../core/ask/question.ts";
import { snooze } from "../../../core/ask/snooze.ts";
import { validateStrict } from "../../../core/ask/strict.ts";
import { needsPrompt } from "../../../core/ask/session-state.ts";
import { type ConfigFiles, shownOf } from "../../../machine/settings/config-file.ts";
import { type BodyOf, type ResultOf } from "../../../protocol/contract.ts";
import type { Status } from "../../../protocol/view.ts";
import { ACTIVE, DONE, MOST_BYTES, type AskQuery, type Store } from "../../../store/store.ts";
import type { Holds } from "../../../delivery/holds.ts";
import type { Autopilot } from "../../../autopilot/autopilot.ts";
import { refuseUnsure } from "../../../inbox/grant/refuse-unsure.ts";
import type { Replies } from "../../../brain/replies.ts";
import { createTakeDecision } from "./take-decision.ts";
import { isReached } from "../reached.ts";
import { createRareRoutes } from "./rare-routes.ts";
import { actorOf, type Caller } from "../../../inbox/callers.ts";
import type { GrantDeps } from "./grant-routes.ts";
import type { LateLink } from "../../../hub-link/late-link.ts";
import { createHubLinkRoutes } from "./hub-link-routes.ts";
import { createHookRoutes, type HookDeps } from "./hook-routes.ts";
import { createMismatches } from "../../../inbox/mismatches.ts";
import type { Corrections } from "../../../inbox/corrections.ts";
import { createSnoozes } from "../../../inbox/snoozes.ts";
import type { Captured, Clock, Inbox } from "../../../inbox/inbox.ts";
import type { AgentSetup } from "../../ops/agent-setup.ts";
import type { createWelcome } from "../../ops/welcome.ts";
import type { Notifications } from "../../../notify/notifications.ts";
import type { PageSessions } from "../page-session.ts";
import type { Runner } from "../../../runner/runner.ts";
import type { ServerWatch } from "../../../delivery/remote/server-watch.ts";
import type { PaneWatch } from "../../../delivery/pane-watch.ts";
import type { Routes } from "./route.ts";
import { createSessionRoutes, type SessionDeps } from "./session-routes.ts";
import type { TrustedFiles } from "../../../machine/settings/trusted-files.ts";

type Deps = HookDeps &
  GrantDeps &
  SessionDeps & {
    store: Store;
    inbox: Inbox;
    holds: Holds;
    runner: Runner;
    panes: PaneWatch;
    servers: ServerWatch;
    autopilot: Autopilot;
    corrections: Corrections;
    replies: Replies;
    hub: LateLink;
    config: ConfigFiles;
    trusted: TrustedFiles;
    notifications: Notifications;
    setup: AgentSetup;
    sessions: PageSessions;
    /** Where a person finds the page: here, and at `web.address`. */
    pageUrls: () => { url: string; address: string };
    /** Replaces the tokens of programs. */
    newTokens: () => Promise<void>;
    now: Clock;
    self: { version: string; instance: string };
    home: string;
    status: () => Omit<Status, "asks" | "sessions">;
    welcome: ReturnType<typeof createWelcome>;
    metrics: () => string;
    stop: () => void;
  };

const STATES: Record<string, AskQuery["states"]> = { open: ["open"], active: ACTIVE, done: DONE };

/** What each endpoint of the contract does. */
export function createRoutes(deps: Deps): Routes {
  const {
    store,
    inbox,
    holds,
    remote,
    config,
    notifications,
    setup,
    sessions,
    pageUrls,
    newTokens,
    now,
    self,
    status,
    welcome,
    stop,
  } = deps;
  const { askers } = inbox;
  const mismatches = createMismatches(deps);
  const snoozes = createSnoozes(deps);
  const takeDecision = createTakeDecision(deps);
  const liveSessions = () => store.sessions({ live: true, limit: 500 });
  let description: ResultOf<"openapi"> | undefined;
  const view = (ask: Ask) => inbox.view(ask, isReached(ask, { holds, remote, askers }));

  return {
    health: async () => ({ parley: self.version, pid: process.pid, instance: self.instance }),
    async openapi() {
      const { describeApi } = await import("../../../protocol/openapi.ts");
      return (description ??= describeApi(self.version));
    },
    metrics: async () => deps.metrics(),
    async status() {
      const [open, undelivered, live] = await Promise.all([
        store.count(["open"]),
        store.count(["settled"]),
        liveSessions(),
      ]);
      const asks = { open, snoozed: await snoozes.count(), undelivered };
      return { ...status(), asks, sessions: live.length, idle: live.filter(needsPrompt).length } as Status;
    },
    async listAsks({ query: { state, kind, project, session, agent, limit, after, program } }) {
      await welcome.refresh();
      const states = state === "all" ? undefined : (STATES[state] ?? ([state] as AskQuery["states"]));
      const order = state === "done" ? "settled" : state === "all" ? "newest" : "oldest";
      const wanted: AskQuery = {
        order,
        ...(states && { states }),
        ...(kind && { kind }),
        ...(project !== undefined && { project }),
        ...(session !== undefined && { session }),
        ...(agent !== undefined && { agent }),
        ...(after !== undefined && { after: (await inbox.get(after)).id }),
      };
      const asks = await store.list({ ...wanted, limit, maxBytes: MOST_BYTES });
      const last = asks.at(-1);
      const isMore = last && (await store.list({ ...wanted, limit: 1, after: last.id })).length > 0;
      const told = program === undefined ? [] : await mismatches.tell({ surface: "api", program });
      return {
        asks: asks.map(view),
        ...(isMore && { next: last.id }),
        ...(state === "open" && { idle: (await liveSessions()).filter(needsPrompt).length }),
        ...(told.length > 0 && { mismatches: told }),
      };
    },
    getAsk: async ({ id }) => view(await inbox.get(id)),
    async createAsk({ body, once, caller, isBrief }) {
      const checked = validateStrict(body, body.script);
      if (!checked.ok)
        throw new ParleyError("invalid", checked.problems[0]?.message ?? "invalid", { problems: checked.problems });
      const { questions, prefill } = checked;
      const { timeout, assume } = body;
      refuseUnknownOptions(questions, { "timeout.choose": timeout?.choose, assume });
      // The outermost, after what the call says of itself: no variable of an agent's makes it another one.
      const around = caller.sessions.at(-1);
      const inside = around === undefined ? {} : { inside: around };
      const captured: Captured = {
        kind: "question",
        questions,
        origin: { ...body.origin, ...inside, agent: body.origin?.agent ?? "script" },
        key: "fetch",
        channel: "fetch",
        ...(timeout && { deadline: { ...timeout, at: now() + timeout.ms } }),
        ...(prefill && { prefill }),
        ...(assume !== undefined && { assumption: assume }),
      };
      const ask = await inbox.once(once && `create ${once}`, body, (key) => inbox.create(captured, key));
      return isBrief ? { id: ask.id } : view(ask);
    },
    async settleAsk({ id, body, once, caller }) {
      const actor = decidedBy(body, caller);
      const decided = body.decision && (await takeDecision(await inbox.get(id), { ...body, ...body.decision }, actor));
      if (body.changed !== undefined && !body.sure) await refuseUnsure(await inbox.get(id), body.changed, deps.mustAsk);
      if (decided) return mismatches.addTo(view(decided), actor);
      const ask = await inbox.once(once && `settle ${once}`, { id, ...body }, (key) =>
        inbox.settle(id, { ...body, reason: body.decision?.reason }, actor, key),
      );
      return mismatches.addTo(view(ask), actor);
    },
    async snoozeAsk({ id, body, once }) {
      const { surface, ...wanted } = body;
      const { id: whole } = await inbox.get(id);
      const ask = await inbox.once(once && `snooze ${once}`, { id, ...body }, (key) =>
        inbox.change(whole, (current) => [snooze(current, wanted, { type: "person", surface }, now())], key),
      );
      return view(ask);
    },
    async receiveAnswer({ id, query: { wait }, gone }) {
      const ask = await askedHere(id);
      const taken = await inbox.receive(id, wait, gone);
      return { ...(taken?.outcome && { outcome: taken.outcome }), sentence: view(taken ?? ask).sentence };
    },
    async withdrawAsk({ id }) {
      await askedHere(id);
      const ask = await inbox.change(id, (current) => {
        const event = withdraw(current, "taken-back", now());
        return event ? [event] : [];
      });
      return { ...(ask.outcome && { outcome: ask.outcome }), sentence: view(ask).sentence };
    },
    tellMismatches: async ({ body, caller }) => ({ mismatches: await mismatches.tell(body, caller.sessions[0]) }),
    async readLog({ query: { ask, task, after, tail: newest, limit } }) {
      const of = { ...(ask !== undefined && { ask: (await inbox.get(ask)).id }), ...(task !== undefined && { task }) };
      return { events: await store.events({ after, limit, newest, ...of }) };
    },
    prune: async ({ body: { days } }) => ({ removed: await store.prune(now() - days * 86_400_000) }),
    async config({ query: { cwd } }) {
      return shownOf(await config.current(cwd));
    },
    caller: async ({ caller: { sessions: around } }) => ({
      type: around.length > 0 ? "agent" : "person",
      sessions: [...around],
    }),
    openPage: async () => ({ ...sessions.code(), ...pageUrls() }),
    listBrowsers: async () => ({ browsers: sessions.list() }),
    endBrowser: async ({ body: { id } }) => (await sessions.end(id), {}),
    newTokens: async () => (await newTokens(), {}),
    listAgents: async () => ({ agents: await setup.list() }),
    setupAgent: async ({ body: { agent, change } }) => ({ detail: await setup.apply(agent, change) }),
    notifyTest: ({ body: { channel }, query: { wait }, gone }) => notifications.test(channel, wait, gone),
    notifyPairs: async ({ query: { check } }) => ({
      ...notifications.pairs(),
      ...(check && { messengers: await notifications.checked() }),
    }),
    notifyPair: ({ body: { messenger } }) => notifications.pair(messenger),
    notifyUnpair: ({ body: { messenger, who } }) => notifications.unpair(messenger, who),
    ...createSessionRoutes(deps),
    ...createHubLinkRoutes(deps),
    ...createRareRoutes({ ...deps, view }),
    welcome: async ({ body }) => (await welcome.ask(body), {}),
    async shutdown() {
      stop();
      return { stopping: true };
    },
    ...createHookRoutes(deps),
  };

  async function askedHere(id: string): Promise<Ask> {
    const ask = await store.ask(id);
    if (ask?.deliveries[0]?.channel === "fetch") return ask;
    throw new ParleyError("not_found", `No question "${id}" asked through the API`);
  }
}

/** A program that decides is never taken for a person. */
function decidedBy({ surface, session, decision }: BodyOf<"settleAsk">, caller: Caller): Actor {
  const actor = actorOf(caller, surface, session);
  if (!decision || actor.type !== "person") return actor;
  const { program } = decision;
  return { type: "brain", surface, ...(program && { program }) };
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
