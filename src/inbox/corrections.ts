import { rmSync, writeFileSync } from "node:fs";
import { agentNamed } from "../agents/agents.ts";
import type { Ask } from "../core/ask/ask.ts";
import { correctionMark, correctionOf } from "../core/ask/answer/correction.ts";
import type { Session } from "../core/ask/session.ts";
import { createSerial } from "../machine/time/serial.ts";
import type { Store } from "../store/store.ts";
import type { Clock, Inbox } from "./inbox.ts";

/** `flag`: the file that is there while a session has something to hear. */
type Deps = { store: Store; inbox: Inbox; now: Clock; flag: string };
const MOST_SESSIONS = 500;
export type Corrections = ReturnType<typeof createCorrections>;
/** `later`: with the next hook of its session that can carry words; `turn`: its connection carries them; `resumed`: its session has ended, so then; `terminal`: it hears only its own. */
export type Telling = "later" | "turn" | "resumed" | "terminal" | "never";

/**
 * What a person corrected afterwards, for agents that can be told only when they call a hook. Which Asks these are, the
 * session knows; what was told, the Ask.
 * Contract: each is told once; that it is being told, and by which hook, is on disk before it is, so a hook that asks
 * again after a daemon died gets the same words.
 */
export function createCorrections({ store, inbox, now, flag }: Deps) {
  const serial = createSerial();
  const keep = async (id: string, asks: string[]): Promise<void> => {
    await store.append({ at: now(), session: { id, events: [{ type: "session.corrected", asks }] } });
    await show();
  };

  /** Says to hooks of prompts whether there is anything to ask for. */
  async function show(): Promise<void> {
    const sessions = await store.sessions({ live: true, limit: MOST_SESSIONS });
    const isForHook = ({ agent, corrections = [] }: Session) =>
      corrections.length > 0 && agentNamed(agent)?.hooks?.telling;
    if (sessions.some(isForHook)) writeFileSync(flag, "", { mode: 0o600 });
    else rmSync(flag, { force: true });
  }

  return {
    /** What a daemon before this one left. */
    start: show,
    /** After the correction was written down. */
    async note({ id, origin: { agent, session: name } }: Ask): Promise<Telling> {
      if (name === undefined) return "never";
      return serial(name, async () => {
        const session = await store.session(name);
        if (!session) return "never";
        const { corrections = [], endedAt } = session;
        const { hooks, remote } = agentNamed(agent) ?? {};
        const isOnline = remote?.tell !== undefined && session.transcript !== undefined;
        if (!hooks?.telling && !isOnline) return endedAt === undefined ? "terminal" : "never";
        if (!corrections.includes(id)) await keep(name, [...corrections, id]);
        if (endedAt !== undefined) return "resumed";
        return hooks?.telling ? "later" : "turn";
      });
    },
    /** What the hook of this name tells the agent of the session; it is told from now on. */
    take: (session: string, call: string, to: string): Promise<Ask[]> =>
      serial(session, async () => {
        const { corrections = [] } = (await store.session(session)) ?? {};
        const mine: Ask[] = [];
        for (const id of corrections) {
          // Removed meanwhile: there is nothing left to tell.
          if (!(await store.ask(id))) continue;
          let isMine = false;
          const ask = await inbox.change(id, (current) => {
            const { told } = correctionOf(current) ?? { told: { call: "" } };
            isMine = told === undefined || told.call === call;
            return told === undefined ? [{ type: "ask.corrected", to, call }] : [];
          });
          if (isMine) mine.push(ask);
        }
        const left = mine.map(({ id }) => id);
        if (left.length !== corrections.length) await keep(session, left);
        return mine;
      }),
    /** What its connection is still to tell the session. */
    async open(session: string): Promise<Ask[]> {
      const { corrections = [] } = (await store.session(session)) ?? {};
      const asks = await Promise.all(corrections.map((id) => store.ask(id)));
      return asks.filter((ask) => ask !== undefined);
    },
    /** The session's own record has this mark; of a correction that was corrected since, it proves nothing. */
    proven: (session: string, ask: string, mark: string): Promise<void> =>
      serial(session, async () => {
        const to = "in its session";
        const after = await inbox.change(ask, (current) =>
          correctionMark(current) !== mark || correctionOf(current)?.told ? [] : [{ type: "ask.corrected", to }],
        );
        if (correctionMark(after) !== mark) return;
        const { corrections = [] } = (await store.session(session)) ?? {};
        const left = corrections.filter((id) => id !== ask);
        if (left.length !== corrections.length) await keep(session, left);
      }),
    /** The hook could not hand it on. */
    giveBack: (id: string, call: string): Promise<Ask> =>
      inbox.change(id, (ask) =>
        correctionOf(ask)?.told?.call === call ? [{ type: "ask.corrected", to: "", call, isBack: true }] : [],
      ),
  };
}
