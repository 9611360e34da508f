import { keptWords } from "../../agents/kept-answers.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { correctedWords, correctionMark, correctionOf } from "../../core/ask/answer/correction.ts";
import { correctionWords } from "../../core/words/trust-words.ts";
import type { Corrections } from "../../inbox/corrections.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { Reconciler } from "../../inbox/reconcile.ts";
import type { Log } from "../../machine/log.ts";
import { createSerial } from "../../machine/time/serial.ts";
import { ACTIVE, type Store } from "../../store/store.ts";
import type { Link } from "./links.ts";

type Deps = {
  store: Store;
  inbox: Inbox;
  reconciler: Reconciler;
  corrections: Corrections;
  log: Log;
  /** A dialog of it is open somewhere. */
  isOpen(ask: Ask): boolean;
};
const RECEIPT_MS = 10_000;
export type Tellings = ReturnType<typeof createTellings>;

/**
 * What a session is told over its connection without having asked for it: what was answered to a question it has lost, and
 * what a person corrected afterwards.
 * Contract: only its record proves that it was told. So it is looked at first, and what stands there is not said again,
 * whoever said it; what was said is said again only over another connection, when the record still lacks it.
 */
export function createTellings({ store, inbox, reconciler, corrections, log, isOpen }: Deps) {
  const serial = createSerial();
  /** The connection that last heard from a session. In memory only, as connections are. */
  const links = new Map<string, Link>();
  const said = new Map<string, Set<string>>();

  const look = (session: string): Promise<void> =>
    serial(session, async () => {
      const link = links.get(session);
      if (!link?.remote.tell || link.task !== undefined) return;
      for (const ask of await store.list({ session, states: ACTIVE })) await hand(link, session, ask);
      for (const ask of await corrections.open(session)) await correct(link, session, ask);
    });

  /** Answered while nobody could take it: the dialog of its call was on a connection that is gone. */
  async function hand(link: Link, session: string, { id }: Ask): Promise<void> {
    const ask = await reconciler.reconcile(id);
    if (!ask?.outcome || !ACTIVE.includes(ask.state) || isOpen(ask)) return;
    const isOver = ask.deliveries.every(({ hold = "", channel }) => channel !== "self" && !hold.startsWith(link.id));
    if (!isOver || !(await reconciler.isWrittenDown(ask))) return;
    if (!(await say(link, session, keptWords([ask]), `kept ${id}`))) return;
    await inbox.change(id, ({ deliveries }) =>
      deliveries.flatMap(({ key, state }) =>
        state === "waiting" || state === "sent" ? [{ type: "ask.sent" as const, key, channel: "resume" }] : [],
      ),
    );
    void reconciler.follow(id, RECEIPT_MS);
  }

  async function correct(link: Link, session: string, ask: Ask): Promise<void> {
    const mark = correctionMark(ask);
    const isTold = await reconciler.wasTold(ask, mark);
    if (isTold) return corrections.proven(session, ask.id, mark);
    // Without a record nobody would know whether it was told.
    if (isTold === undefined) return;
    const words = correctionWords(ask, correctedWords(ask.questions, correctionOf(ask) ?? {}));
    if (!(await say(link, session, `${mark} ${words}`, mark))) return;
    void follow(link, session, ask, mark).catch((error: unknown) =>
      log("warn", "a correction could not be proven", { ask: ask.id, error: `${error}` }),
    );
  }

  /** As long as its agent is there: a busy machine may take any time to write it down. */
  async function follow(link: Link, session: string, ask: Ask, mark: string): Promise<void> {
    while (links.get(session) === link) {
      if (await reconciler.wasTold(ask, mark, RECEIPT_MS)) return corrections.proven(session, ask.id, mark);
      await Bun.sleep(RECEIPT_MS);
    }
  }

  /** False: it was said before over this connection, or its agent cannot hear it now. */
  async function say(link: Link, session: string, words: string, name: string): Promise<boolean> {
    const told = said.get(link.id) ?? new Set();
    said.set(link.id, told);
    const request = told.has(name) ? undefined : link.remote.tell?.(session, words);
    if (!request) return false;
    const { status } = await link.request(request);
    const isSaid = status >= 200 && status < 300;
    if (isSaid) told.add(name);
    log("debug", isSaid ? "a session is told" : "a session cannot be told now", { session, name, status });
    return isSaid;
  }

  const looked = (session: string) =>
    look(session).catch((error: unknown) => log("warn", "a session could not be told", { session, error: `${error}` }));
  const leave = store.onCommit((events) => {
    for (const { type, session } of events)
      if (type === "session.corrected" && session !== undefined) void looked(session);
  });

  return {
    /** The session is there, over this connection. */
    seen(link: Link, session: string): void {
      links.set(session, link);
      void looked(session);
    },
    gone(link: string): void {
      said.delete(link);
      for (const [session, { id }] of links) if (id === link) links.delete(session);
    },
    stop(): void {
      leave();
      links.clear();
    },
  };
}
