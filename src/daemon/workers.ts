import { createCorrections } from "../inbox/corrections.ts";
import { availableParallelism } from "node:os";
import { countsOf, digestSince } from "../autopilot/digest.ts";
import { createAutopilot } from "../autopilot/autopilot.ts";
import { createMismatchTeller } from "../autopilot/brain/tell-mismatch.ts";
import { createConversations } from "../brain/conversations.ts";
import { createReplies } from "../brain/replies.ts";
import type { Ask } from "../core/ask/ask.ts";
import { GIVES_OUTCOME } from "../core/ask/event-lists.ts";
import type { Holds } from "../delivery/holds.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import type { Paths } from "../machine/home.ts";
import { createGiveTask } from "./ops/give-task.ts";
import { createHubTasks } from "./ops/hub-tasks.ts";
import { rehearse } from "./ops/rehearse.ts";
import { createRunner } from "../runner/runner.ts";
import type { Inside } from "../runner/runner-deps.ts";
import { createServerWatch } from "../delivery/remote/server-watch.ts";
import { createRunTalks } from "../delivery/remote/run-talks.ts";
import { createServiceWatch } from "../delivery/remote/service-watch.ts";
import { createSocketWatch } from "../delivery/remote/socket-watch.ts";
import type { Store } from "../store/store.ts";
import type { Callers } from "../inbox/callers.ts";
import { createChangedCalls } from "../delivery/changed-calls.ts";
import { changedFlag, correctedFlag } from "../machine/home.ts";
import { createContext } from "../inbox/context.ts";
import { createFacts } from "../inbox/facts/facts.ts";
import { createGrants } from "../inbox/grant/grants.ts";
import { createMustAsk, mustAskIn } from "../inbox/grant/must-ask.ts";
import { createIdleSessions } from "../inbox/idle.ts";
import { createDenials } from "../inbox/denials.ts";
import { createDeadlines } from "../inbox/deadlines.ts";
import { createDeliver } from "../delivery/deliver.ts";
import type { Channel } from "../delivery/channel.ts";
import { createHookChannel } from "../delivery/hook-channel.ts";
import { createHooks } from "../delivery/hooks.ts";
import type { Clock, Inbox } from "../inbox/inbox.ts";
import { createLateLink } from "../hub-link/late-link.ts";
import { createKeyChannel } from "../delivery/key-channel.ts";
import type { Log } from "../machine/log.ts";
import { createPaneWatch } from "../delivery/pane-watch.ts";
import { createRemote } from "../delivery/remote/remote.ts";
import { createReconciler } from "../inbox/reconcile.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  holds: Holds;
  config: ConfigFiles;
  paths: Paths;
  callers: Callers;
  inside: Inside;
  now: Clock;
  log: Log;
};

/** Everything that acts on Asks without being called: it sees what is written and does the next thing. */
export function createWorkers({ store, inbox, holds, config, paths, callers, inside, now, log }: Deps) {
  const warn = (message: string, fields: Record<string, unknown>) => log("warn", message, fields);
  const reconciler = createReconciler({ store, inbox, now, log });
  const denials = createDenials({
    store,
    inbox,
    now,
    after() {
      const { deny_after_seconds: approval, deny_plan_after_seconds: plan } = config.latest().approvals;
      return { approval: approval * 1000, plan: plan * 1000 };
    },
  });
  const deadlines = createDeadlines({ store, inbox, now });
  const runner = createRunner({
    store,
    holds,
    inbox,
    reconcile: reconciler.reconcile,
    now,
    home: paths.home,
    program: paths.program,
    inside,
    openTalk: (run) => openTalk(run),
    settings: async (folder) => (await config.current(folder)).values.tasks,
    workflows: (folder) => autopilot.look.workflows(folder),
    mustAsk: () => config.latest().approvals.must_ask.length > 0,
    limit: () => config.latest().tasks.limit || availableParallelism(),
    log: warn,
  });
  const isForAll = () => config.latest().keys.all_sessions;
  const keys = createKeyChannel({ store, inbox, holds, reconciler, isForAll, log });
  const context = createContext({ store, inbox, now, facts: createFacts({ store, inbox, now, log }) });
  const isWanted = () => config.latest().inbox.idle_sessions;
  const idle = createIdleSessions({ store, inbox, titles: context.titles, now, isWanted });
  const mustAsk = createMustAsk(async (cwd) => mustAskIn(await config.current(cwd)));
  const grants = createGrants({ store, now, log, mustAsk });
  const told = { store, inbox, reconciler, callers, context, idle, grants, now, log };
  const corrections = createCorrections({ store, inbox, now, flag: correctedFlag(paths.program) });
  const remote = createRemote({ ...told, corrections, takeGrant: runner.takeGrant, deliver: (id) => deliver(id) });
  const openTalk = createRunTalks({ remote, log });
  const channels: Channel[] = [createHookChannel({ store, holds, reveal: inbox.reveal }), remote.channel, keys];
  const deliver = createDeliver({ store, channels });
  const holdMs = {
    subagent: () => config.latest().hold.subagent_seconds * 1000,
    elicitation: () => config.latest().hold.elicitation_seconds * 1000,
  };
  const onLine = { ...told, holds, deliver, holdMs };
  const changedCalls = createChangedCalls({ store, inbox, now, log, flag: changedFlag(paths.program) });
  const atHooks = { ...onLine, mustAsk, changedCalls, corrections, tasks: runner };
  const hooks = createHooks(atHooks);
  const panes = createPaneWatch({ store, inbox, reconciler, deliver, context, file: paths.panes, now, log });
  const servers = createServerWatch({ remote, file: paths.servers, log });
  const sockets = createSocketWatch({ remote, home: paths.home, log });
  const services = createServiceWatch({ remote, home: paths.home, env: process.env, log });
  const replies = createReplies();
  const conversations = createConversations(paths.conversations, now);
  const brains = { env: process.env, replies, conversations, folder: paths.brain, parley: paths.program };
  const autopilot = createAutopilot({
    store,
    inbox,
    config,
    brains,
    pauseFile: paths.pauses,
    userHome: process.env["HOME"] ?? "",
    now,
    log: warn,
  });
  const mismatches = createMismatchTeller({ store, inbox, config, brains, now, log: warn });
  const view = (ask: Ask) => inbox.view(ask, holds.isAnyHeld(ask) || remote.isOpen(ask));
  const giveTask = createHubTasks(createGiveTask({ runner, mustAsk }));
  const hub = createLateLink({ store, inbox, view, giveTask, file: paths.hub, env: process.env, now, log });
  store.onCommit((events) => {
    const moved = events.flatMap(({ type, ask }) => (ask !== undefined && GIVES_OUTCOME.has(type) ? [ask] : []));
    for (const ask of new Set(moved)) void deliver(ask);
  });

  return {
    hooks,
    corrections,
    remote,
    runner,
    panes,
    servers,
    replies,
    autopilot,
    idle,
    grants,
    mustAsk,
    hub,
    digest: async (since: number) => countsOf(await digestSince(store, since, now())),
    /** What an earlier daemon left goes on. */
    async start(): Promise<void> {
      await deadlines.start();
      await changedCalls.start();
      await corrections.start();
      await idle.sweep();
      await grants.sweep();
      await runner.resume();
      for (const channel of channels) await channel.resume?.();
      panes.resume();
      servers.resume();
      sockets.start();
      services.start();
      await hub.start();
      void mismatches.start().catch((error: unknown) => log("error", "mismatches", { error: String(error) }));
      // Not awaited: whoever wants to ask or answer need not wait until it has looked at everything.
      void autopilot
        .start()
        .catch((error: unknown) => log("error", "the autopilot did not start", { error: String(error) }));
    },
    /** Plays what the first granted call would otherwise wait for. */
    rehearse: (house: Parameters<typeof rehearse>[1]) => rehearse(atHooks, house),
    async sweep(): Promise<void> {
      await deadlines.look();
      await autopilot.tick();
      mismatches.tick();
      await idle.sweep();
      await grants.sweep();
      await denials.sweep();
      await reconciler.sweep();
    },
    stop(): void {
      changedCalls.leave();
      const watches = [panes, servers, sockets, services];
      for (const worker of [deadlines, grants, runner, ...watches, autopilot, mismatches, hub]) worker.stop();
      for (const channel of channels) channel.stop?.();
    },
  };
}
