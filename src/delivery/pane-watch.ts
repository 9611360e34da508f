import { readFileSync } from "node:fs";
import type { Agent } from "../agents/agent.ts";
import type { Ask, Pane } from "../core/ask/ask.ts";
import { ParleyError } from "../core/error.ts";
import { isShown } from "../keys/match.ts";
import type { Screen } from "../keys/screen.ts";
import { createSerial } from "../machine/time/serial.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import type { Context } from "../inbox/context.ts";
import type { Clock, Inbox } from "../inbox/inbox.ts";
import type { Deliver } from "./deliver.ts";
import { keepList } from "../machine/file/kept-list.ts";
import type { Log } from "../machine/log.ts";
import { factsOfPane, type PaneFacts, screenIn, type Unanswered, unansweredIn } from "./pane-agent.ts";
import { createProjects } from "../inbox/projects.ts";
import type { Reconciler } from "../inbox/reconcile.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  reconciler: Reconciler;
  deliver: Deliver;
  context: Context;
  /** Which panes are watched; it survives the daemon. */
  file: string;
  now: Clock;
  log: Log;
};
export type WatchedPane = Pane & { sees: string };
export type PaneWatch = ReturnType<typeof createPaneWatch>;

const EVERY_MS = 1000;

/** Panes a person asked to watch, because their agents have no hooks: a dialog on the screen becomes an Ask. */
export function createPaneWatch({ store, inbox, reconciler, deliver, context, file, now, log }: Deps) {
  const panes = new Map<string, WatchedPane>();
  const serial = createSerial();
  const projectOf = createProjects(now);
  let timer: Timer | undefined;

  /** Contract: afterwards the dialog in this pane, if there is one, is an Ask; answers that Ask. */
  async function look(pane: Pane): Promise<{ ask?: Ask; sees: string }> {
    return serial(nameOf(pane), async () => {
      const facts = factsOfPane(pane);
      if (!facts) return gone(pane);
      const found = await screenIn(facts.pane);
      if (!found) return { sees: "nothing that Parley knows" };
      return found.screen.type === "prompt" ? over(facts.pane) : dialog(found.agent, facts, found.screen);
    });
  }

  async function dialog(agent: Agent, facts: PaneFacts, screen: Screen): Promise<{ ask?: Ask; sees: string }> {
    const found = (await unansweredIn(agent, facts, now())).filter(({ questions }) => isShown(screen, questions));
    if (found.length === 0) return { sees: "a dialog; the agent's record of it was not found yet" };
    const [only, ...others] = found;
    if (!only || others.length > 0) return { sees: "a dialog that several sessions in this folder have open" };
    const ask = (await known(only)) ?? (await capture(agent, facts, only));
    // What stood here before may be a dead session's, with the same question.
    for (const left of await openIn(facts.pane)) if (left.id !== ask.id) await reconciler.sweepOne(left.id);
    if (ask.state === "settled") void deliver(ask.id);
    return { ask, sees: "a question" };
  }

  async function known({ session, key }: Unanswered): Promise<Ask | undefined> {
    const recent = await store.list({ session, order: "newest", limit: 20 });
    return recent.find(({ deliveries }) => deliveries.some((d) => d.key === key));
  }

  async function capture(agent: Agent, facts: PaneFacts, asked: Unanswered): Promise<Ask> {
    const { session, transcript, key, questions, cwd, process } = asked;
    const where = { cwd, ...(await projectOf(cwd)), pane: facts.pane };
    const seen = { agent: agent.name, ...where, transcript, process };
    await store.append({ at: now(), session: { id: session, events: [{ type: "session.seen", session: seen }] } });
    const led = await context.read(agent, { key, session: { id: session, transcript } });
    const origin = { agent: agent.name, session, ...where, ...led };
    return inbox.create({ kind: "question", questions, origin, key, channel: "keys" });
  }

  /** No dialog stands there: what was asked in this pane is answered or left. */
  async function over(pane: Pane): Promise<{ sees: string }> {
    for (const ask of await openIn(pane)) {
      await reconciler.follow(ask.id, undefined, { screen: true });
      // A frame between two others is not the end of a dialog.
      const again = await screenIn(pane);
      if (again?.screen.type === "prompt") await reconciler.giveUp(ask.id, "moved-on");
    }
    return { sees: "the agent, with no dialog" };
  }

  async function gone(pane: Pane): Promise<{ sees: string }> {
    for (const ask of await openIn(pane)) await reconciler.giveUp(ask.id, "agent-exited");
    return { sees: "the pane is gone" };
  }

  async function openIn({ server, id, pid }: Pane): Promise<Ask[]> {
    const open = await store.list({ states: ACTIVE, limit: 1000 });
    const isHere = ({ origin: { pane } }: Ask) =>
      pane?.server === server && pane.id === id && (pid === undefined || (pane.pid ?? pid) === pid);
    return open.filter((ask) => !ask.outcome && isHere(ask) && ask.deliveries.every((d) => d.channel === "keys"));
  }

  async function tick(): Promise<void> {
    for (const pane of panes.values()) {
      try {
        const { sees } = await look(pane);
        if (sees !== pane.sees) log("debug", "pane", { pane: pane.id, sees });
        pane.sees = sees;
        if (sees === "the pane is gone") unwatch(pane);
      } catch (error) {
        pane.sees = error instanceof Error ? error.message : String(error);
        log("warn", "a pane could not be looked at", { pane: pane.id, error: pane.sees });
      }
    }
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (panes.size > 0) timer = setTimeout(() => void tick(), EVERY_MS);
  }

  function unwatch(pane: Pane): boolean {
    const before = panes.get(nameOf(pane));
    panes.delete(nameOf(pane));
    keepOr(pane, before);
    return before !== undefined;
  }

  /** Whoever is told that it failed must not find it half so. */
  function keepOr(pane: Pane, before: WatchedPane | undefined): void {
    try {
      save();
    } catch (error) {
      panes.delete(nameOf(pane));
      if (before) panes.set(nameOf(pane), before);
      throw error;
    }
  }

  const save = (): void =>
    keepList(
      file,
      [...panes.values()].map(({ server, id, pid }) => ({ server, id, pid })),
    );

  return {
    look,
    async watch(pane: Pane): Promise<WatchedPane> {
      const facts = factsOfPane(pane);
      if (!facts) throw new ParleyError("not_found", `There is no tmux pane ${pane.id} at ${pane.server}`);
      const { sees } = await look(facts.pane);
      const watched = { ...facts.pane, sees };
      const before = panes.get(nameOf(pane));
      panes.set(nameOf(pane), watched);
      keepOr(pane, before);
      schedule();
      return watched;
    },
    unwatch,
    /** Those that are still open: an agent that was killed asks nothing any more. */
    async living(asks: readonly Ask[]): Promise<Ask[]> {
      for (const { id } of asks) await reconciler.sweepOne(id);
      const looked = await Promise.all(asks.map(({ id }) => store.ask(id)));
      return looked.filter((ask) => ask !== undefined).filter(({ state }) => state === "open");
    },
    list: () => [...panes.values()],
    resume(): void {
      for (const pane of saved(file)) panes.set(nameOf(pane), { ...pane, sees: "not looked at yet" });
      schedule();
    },
    stop(): void {
      clearTimeout(timer);
      panes.clear();
    },
  };
}

const nameOf = ({ server, id }: Pane) => `${server} ${id}`;

function saved(file: string): Pane[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Pane[];
  } catch {
    return [];
  }
}
