import { agentNamed } from "../../agents/agents.ts";
import type { AgentRemote, RemoteReading } from "../../agents/capability/remote.ts";
import type { Ask, Delivery } from "../../core/ask/ask.ts";
import type { WithdrawnReason } from "../../core/ask/outcome.ts";
import type { Session } from "../../core/ask/session.ts";
import { ParleyError } from "../../core/error.ts";
import type { Callers } from "../../inbox/callers.ts";
import { createCapture } from "../../inbox/capture.ts";
import type { Context } from "../../inbox/context.ts";
import type { Corrections } from "../../inbox/corrections.ts";
import { createEndings } from "../../inbox/endings.ts";
import type { Clock, Decided, Inbox } from "../../inbox/inbox.ts";
import { originOf } from "../../inbox/origin.ts";
import { createProjects } from "../../inbox/projects.ts";
import type { Reconciler } from "../../inbox/reconcile.ts";
import type { Grants } from "../../inbox/grant/grants.ts";
import type { IdleSessions } from "../../inbox/idle.ts";
import { noteSession } from "../../inbox/session.ts";
import type { Log } from "../../machine/log.ts";
import { isHere } from "../../machine/process/is-here.ts";
import { isAlive } from "../../machine/process/process.ts";
import { createSerial } from "../../machine/time/serial.ts";
import type { HookCall } from "../../protocol/hook.ts";
import type { LinkEvents, LinkHello, LinkReplies } from "../../protocol/link.ts";
import { eachAsk } from "../../store/each-ask.ts";
import { ACTIVE, type Store } from "../../store/store.ts";
import type { Channel, Sent } from "../channel.ts";
import { allowedBefore, isShownAgain, type TakeGrant, withCancel } from "../in-task.ts";
import { createLinks, type Link, type Send, withFacts } from "./links.ts";
import { cannotTell, RECEIPT_MS, taken } from "./sent.ts";
import { createTellings } from "./tellings.ts";
import { untilWritten } from "./until-written.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  reconciler: Reconciler;
  callers: Callers;
  context: Context;
  idle: IdleSessions;
  grants: Grants;
  takeGrant: TakeGrant;
  corrections: Corrections;
  /** Something of it can be handed over now. */
  deliver(ask: string): Promise<void>;
  now: Clock;
  log: Log;
};
type Asked = Extract<RemoteReading, { type: "asked" }>;
type Seen = Extract<RemoteReading, { type: "session-seen" }>;
/** An open dialog at the other end. `handed`: our answer is on its way. */
type Dialog = { link: Link; ask: string; request: string; handed: boolean };
export type Remote = ReturnType<typeof createRemote>;

/** Agents that say over a connection what they ask, and take answers beside their own dialogs. */
export function createRemote(deps: Deps) {
  const { store, inbox, reconciler, callers, context, idle, grants, deliver, now, log } = deps;
  const { titles } = context;
  const links = createLinks();
  /** By the name under which the delivery is held. */
  const dialogs = new Map<string, Dialog>();
  const capture = createCapture({ store, inbox });
  const endings = createEndings({ store, reconciler, log });
  const projectOf = createProjects(now);
  const serial = createSerial();

  /** `task`: Parley itself runs it. `spoken`: at its service an agent may speak otherwise. */
  async function open(
    hello: LinkHello,
    send: Send,
    { task, spoken }: { task?: string | undefined; spoken?: AgentRemote } = {},
  ): Promise<Link> {
    const agent = agentNamed(hello.agent);
    const speaks = spoken ?? agent?.remote;
    if (!agent || !speaks) throw new ParleyError("usage", `Parley has no connection to "${hello.agent}"`);
    const link = links.add(agent, speaks, hello, send, task);
    log("info", "an agent is connected", { agent: agent.name, pid: hello.pid, version: hello.version });
    const failed = (error: unknown) => log("error", "what is open could not be read", { error: `${error}` });
    void untilWritten(() => catchUp(link), { isOver: () => !links.get(link.id), failed }).catch(failed);
    return link;
  }

  /** What was asked while nobody listened, and what ended meanwhile. */
  async function catchUp(link: Link): Promise<void> {
    const isOpen = new Set<string>();
    for (const { request, read } of link.remote.pending) {
      const { status, body } = await link.request(request);
      if (status !== 200) return log("warn", "an agent does not say what it asks", { path: request.path, status });
      for (const reading of read(body)) {
        if (reading.type === "asked") isOpen.add(reading.key);
        await take(link, reading, reading);
      }
    }
    const { pid, server, directory } = link.hello;
    // One process may have several connections, each for its own folder.
    const isOurs = (session: Session | undefined) =>
      pid === undefined
        ? server !== undefined && session?.server === server
        : session?.process?.pid === pid && [undefined, session.cwd].includes(directory);
    for await (const ask of eachAsk(store, ACTIVE)) {
      if (ask.origin.agent !== link.agent.name || ask.deliveries.some(({ key }) => isOpen.has(key))) continue;
      if (isOurs(await sessionOf(ask))) void lapse(ask.id);
    }
    log("debug", "what an agent has open is known", { agent: link.agent.name, open: isOpen.size });
  }

  /** Its agent says nothing of it any more: its record may still; what was asked meanwhile has its dialog. */
  async function lapse(id: string): Promise<void> {
    const hasDialog = () => [...dialogs.values()].some(({ ask }) => ask === id);
    if (hasDialog()) return;
    await reconciler.follow(id);
    if (!hasDialog()) await reconciler.giveUp(id, "moved-on");
  }

  const sessionOf = async ({ origin }: Ask): Promise<Session | undefined> =>
    origin.session === undefined ? undefined : store.session(origin.session);

  function linkOf(id: string): Link {
    const link = links.get(id);
    if (!link) throw new ParleyError("not_found", "This connection was closed; make a new one");
    return link;
  }

  /** Nobody listens there any more: what it asked was only in its memory. */
  async function serverGone(server: string): Promise<void> {
    for await (const ask of eachAsk(store, ACTIVE))
      if ((await sessionOf(ask))?.server === server) await reconciler.giveUp(ask.id, "agent-exited");
  }

  async function events(id: string, { events: all }: LinkEvents): Promise<void> {
    const link = linkOf(id);
    for (const { event, call } of all)
      for (const reading of link.remote.read(event, call)) await take(link, reading, event);
  }

  async function take(link: Link, reading: RemoteReading, payload: unknown): Promise<void> {
    if (reading.type === "settled") return settled(link, reading.request);
    if (reading.type === "withdrawn") return settled(link, reading.request, "moved-on");
    if (reading.type === "session-seen") return seen(link, reading);
    const said = link.family.settle(reading);
    if (!said) return subagentEnded(reading.session.id);
    const { id } = said.session;
    const known = await store.session(id);
    // A session is its process's; another one that speaks for it while that lives is not heard.
    const { pid } = link.hello;
    if (pid !== undefined && known?.process && known.process.pid !== pid && isAlive(known.process))
      return log("warn", "a connection that speaks for a session of another process", { session: id });
    const { tmux, pane } = link.hello.facts;
    const task = link.task ?? link.hello.facts.task;
    const run = { ...(pid !== undefined && { pid }), ...(task !== undefined && { task }) };
    const facts = { ...run, ...(tmux && { tmux }), ...(pane && { pane }) };
    const full = withFacts(link, said);
    await callers.note(id, link.agent, facts);
    await noteSession({ store, now, projectOf }, link.agent, full, { facts });
    if (full.type === "asked" || full.type === "result") await idle.wentOn(id);
    switch (full.type) {
      case "asked":
        return asked(link, withCancel(full, task), facts, payload);
      case "result":
        return serial(id, () => endings.result(full, { isRecord: true }));
      case "turn-ended":
        await endings.turnEnded(id, now());
        await idle.finished(link.agent, id, full.said);
        await titles.read(link.agent, full.session);
        return tellings.seen(link, id);
      case "session-ended":
        return endings.sessionEnded(id, now());
      case "prompted":
      case "session-started":
        return undefined;
    }
  }

  /** Its title, where Parley knows the session; one that is only looked at is none that works. */
  async function seen(link: Link, { session, parent }: Seen): Promise<void> {
    link.family.add(session.id, parent);
    const known = await store.session(session.id);
    if (known && parent === undefined) tellings.seen(link, session.id);
    if (known && session.title !== undefined) await titles.read(link.agent, { ...session, ...transcriptOf(known) });
  }

  async function asked(link: Link, reading: Asked, facts: HookCall["facts"], payload: unknown): Promise<void> {
    const hold = `${link.id} ${reading.request}`;
    const id = await serial(reading.session.id, async () => {
      const origin = async () => ({
        ...(await originOf(link.agent, reading, facts, projectOf)),
        ...(await titles.known(reading.session.id, undefined)),
      });
      const { ask, delivery } = await capture(reading, { call: hold, payload }, origin, () => decided(link, reading));
      if (!ACTIVE.includes(ask.state) || delivery.state !== "waiting") return undefined;
      // Before it is told: whoever settles it now finds somebody to hand it to.
      dialogs.set(hold, { link, ask: ask.id, request: reading.request, handed: false });
      await inbox.change(ask.id, ({ deliveries }) =>
        deliveries.some((d) => d.key === delivery.key && d.state === "waiting" && d.hold !== hold)
          ? [{ type: "ask.held", key: delivery.key, hold, channel: "remote", racing: link.task === undefined }]
          : [],
      );
      void context
        .addTo(ask, link.agent, reading)
        .catch((error: unknown) => log("warn", "what led to a question could not be read", { error: `${error}` }));
      return ask.id;
    });
    if (id !== undefined) await deliver(id);
  }

  async function decided({ hello, task }: Link, reading: Asked): Promise<Decided | undefined> {
    const wanted = { task, call: reading.key, questions: reading.questions, at: now() };
    const before = await allowedBefore(deps.takeGrant, wanted, isShownAgain(reading));
    // Elsewhere the same path is another file.
    return before ?? (isHere(hello.server) ? grants.decide(reading, task) : undefined);
  }

  /** The turn of a subagent is over, not that of its session. */
  async function subagentEnded(subagent: string): Promise<void> {
    for await (const { id, origin } of eachAsk(store, ACTIVE))
      if (origin.subagent === subagent) void reconciler.follow(id).then(() => reconciler.giveUp(id, "moved-on"));
  }

  /** `gone`: nobody answered it. */
  async function settled(link: Link, request: string, gone?: WithdrawnReason): Promise<void> {
    const dialog = dialogs.get(`${link.id} ${request}`);
    if (!dialog) return;
    dialogs.delete(`${link.id} ${request}`);
    void (gone ? reconciler.giveUp(dialog.ask, gone) : reconciler.follow(dialog.ask, RECEIPT_MS));
  }

  async function close(id: string): Promise<void> {
    tellings.gone(id);
    if (!links.remove(id)) return;
    for (const [hold, dialog] of dialogs) {
      if (dialog.link.id !== id) continue;
      dialogs.delete(hold);
      await inbox.change(dialog.ask, ({ deliveries }) =>
        deliveries.flatMap((d) =>
          d.hold === hold && d.state === "waiting" && d.released === undefined
            ? [{ type: "ask.released", key: d.key, hold, reason: "link-gone" }]
            : [],
        ),
      );
      void reconciler.follow(dialog.ask).then(() => reconciler.sweepOne(dialog.ask));
    }
  }

  const isOpen = ({ id, deliveries }: Ask): boolean => deliveries.some((delivery) => dialogOf(delivery)?.ask === id);
  const tellings = createTellings({ ...deps, isOpen });
  const dialogOf = ({ hold }: Delivery) => (hold === undefined ? undefined : dialogs.get(hold));

  const channel: Channel = {
    name: "remote",
    stop: tellings.stop,
    reaches: (ask, delivery) => dialogOf(delivery)?.ask === ask.id,
    async deliver(ask, delivery): Promise<Sent> {
      const dialog = dialogOf(delivery);
      if (!dialog || delivery.state !== "waiting") return "never";
      if (!ask.outcome || dialog.handed) return "later";
      const request = dialog.link.remote.reply(ask, ask.outcome, dialog.request);
      if (!request) return cannotTell({ inbox, title: dialog.link.agent.title }, ask, delivery);
      dialog.handed = true;
      const { status, body } = await dialog.link.request(request);
      if (status >= 200 && status < 300) return taken({ inbox, reconciler }, ask.id, delivery.key);
      log("warn", "an answer that the agent did not take", { ask: ask.id, status, body: JSON.stringify(body) });
      // Somebody else was first, or the dialog is gone: its record says which. Else it may be tried again.
      if (status >= 400 && status < 500) dialogs.delete(delivery.hold ?? "");
      else dialog.handed = false;
      void reconciler.follow(ask.id);
      return "never";
    },
  };

  return {
    channel,
    open,
    serverGone,
    events,
    close,
    replies: (id: string, { replies }: LinkReplies): void => {
      linkOf(id);
      for (const { id: number, status, body } of replies) links.replied(id, { id: number, status, body });
    },
    /** Somebody is there who takes its answer right now. */
    isOpen,
    isKnown: (id: string): boolean => links.get(id) !== undefined,
  };
}

const transcriptOf = ({ transcript }: Session) => (transcript === undefined ? {} : { transcript });
