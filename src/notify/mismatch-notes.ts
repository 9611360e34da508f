import { titleOf } from "../agents/agents.ts";
import type { Ask } from "../core/ask/ask.ts";
import { goesToTask } from "../core/ask/ask-state.ts";
import { mismatchesOf } from "../core/receipt/mismatch.ts";
import { capitalised, safeLine, safeText } from "../core/text/text.ts";
import { outcomeWords } from "../core/words/outcome/outcome-words.ts";
import { sentence } from "../core/words/outcome/sentence.ts";
import type { ConfigFiles } from "../machine/settings/config-file.ts";
import { DONE, type Store } from "../store/store.ts";
import type { Clock } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import { type Messenger, SendError } from "./messenger.ts";
import type { Ledger, Send } from "../store/ledger.ts";
import { type Note, noteOf } from "./note.ts";
import { type Noted, routedOf } from "./pace.ts";
import { quietMs } from "./quiet.ts";
import { routeFor } from "./route.ts";

type Deps = {
  store: Store;
  config: ConfigFiles;
  ledger: Ledger;
  channels: readonly Messenger[];
  now: Clock;
  log: Log;
  noted: Noted;
  /** Whoever answered has heard there that the agent received something else. */
  heard: (ask: string, messenger: string) => Promise<void>;
};

const WORTH_MS = 86_400_000;
const MOST = 100;
const MOST_LOOKED = 1000;
const LONGEST = 2000;
const PAUSES_MS = [5000, 30_000, 120_000, 600_000];
const PATIENCE_MS = 10_000;
const MARK = "mismatch ";
/** An agent that waits takes its answer at once; one that has not by then is perhaps not there. */
const KEPT_MS = 15_000;
const KEPT = "kept:";

/** Rows of the ledger that are about a mismatch, not about a question. */
export const isMismatch = ({ ask }: Pick<Send, "ask">): boolean => ask.startsWith(MARK);

/**
 * A person whose answer the agent did not receive is told so, also when it only waits for the agent to come back. Who gave it by
 * a messenger that can say so there hears it there, and nobody else does; of a mismatch, others who have not heard where they answered, within the time a question may wait, are told
 * like of a question. Contract: once on each channel, also over restarts; tried a few times.
 */
export function createMismatchNotes({ store, config, ledger, channels, now, log, noted, heard }: Deps) {
  /** Answers that came after the one in the terminal, or to nobody; looked for once, and then heard of. */
  let overtaken: Set<string> | undefined;
  /** Answers by a messenger that no agent has taken yet. */
  const waiting = new Set<string>();

  /** Answers when to look again. */
  async function run(): Promise<number> {
    const asks = await store.list({ states: ["mismatched"], order: "newest", limit: MOST });
    const due = await Promise.all([...asks, ...(await late())].filter(isForPerson).map(announce));
    for (const id of waiting) due.push(await announceKept(id));
    for (const send of ledger.sends().filter(isMismatch)) due.push(await attempt(send));
    return Math.min(Infinity, ...due);
  }

  async function late(): Promise<Ask[]> {
    if (!overtaken) {
      overtaken = new Set();
      try {
        for (const id of await endedBefore()) overtaken.add(id);
      } catch (error) {
        overtaken = undefined;
        throw error;
      }
    }
    const ids = [...overtaken];
    overtaken.clear();
    const found = await Promise.all(ids.map((id) => store.ask(id)));
    const own = found.filter((ask): ask is Ask => ask !== undefined && ownOf(ask) !== undefined);
    for (const ask of own) if (isKept(ask)) waiting.add(ask.id);
    return own.filter((ask) => ask.outcome?.type === "overtaken" || isForNobody(ask));
  }

  /** Of a day at most, from the end of what is done: whatever is behind that is not walked through. */
  async function endedBefore(): Promise<string[]> {
    const found = await store.list({ states: ["settled"], order: "newest", limit: MOST });
    let after: string | undefined;
    for (let looked = 0; looked < MOST_LOOKED && found.length < 2 * MOST; looked += MOST) {
      const from = after === undefined ? {} : { after };
      const page = await store.list({ states: DONE, order: "settled", limit: MOST, ...from });
      found.push(...page.filter(({ state }) => state === "closed"));
      const last = page.at(-1);
      if (!last || page.length < MOST || now() - (last.settledAt ?? 0) > WORTH_MS) break;
      after = last.id;
      await Bun.sleep(0);
    }
    return found.map(({ id }) => id);
  }

  /** Told once, if nobody has taken it by then. */
  async function announceKept(id: string): Promise<number> {
    const ask = await store.ask(id);
    const own = ask && isKept(ask) ? ownOf(ask) : undefined;
    const since = ask?.outcome?.at ?? 0;
    const isOver = !own || now() - since > WORTH_MS || ledger.knows(`${MARK}${KEPT}${id}`);
    if (!isOver && since + KEPT_MS > now()) return since + KEPT_MS;
    waiting.delete(id);
    if (!isOver) ledger.announce(`${MARK}${KEPT}${id}`, [own.name], now());
    return Infinity;
  }

  /** Whose answer it was that the agent did not receive. */
  const giverOf = ({ outcome }: Ask) => (outcome?.type === "overtaken" ? outcome.lost?.actor : outcome?.actor);
  const ownOf = (ask: Ask) => channels.find(({ name, tell }) => tell && name === giverOf(ask)?.surface);

  function isForPerson(ask: Ask): boolean {
    const giver = giverOf(ask);
    return giver !== undefined && !["agent", "brain"].includes(giver.type) && giver.surface !== "api";
  }

  async function announce(ask: Ask): Promise<number> {
    const ended = ask.outcome?.type === "overtaken" ? ask.outcome.at : 0;
    const since = Math.max(ended, ...ask.deliveries.map(({ confirmedAt }) => confirmedAt ?? 0));
    const own = ownOf(ask);
    if ((ask.told && !own) || now() - since > WORTH_MS || ledger.knows(`${MARK}${ask.id}`)) return Infinity;
    const { notify } = (await config.current(ask.origin.cwd)).values;
    if (!notify.enabled) return Infinity;
    const at = Math.max(own ? 0 : since + notify.after_seconds * 1000, now() + quietMs(notify, now()));
    // In quiet hours it is in the ledger all the same: a restart does not lose it.
    if (at > now() && !own) return at;
    const routed = routedOf(ask);
    const usable = own
      ? [own]
      : channels.filter(
          (channel) => channel.off(notify, mismatchNote(ask)) === undefined && routeFor(notify, channel.name, routed),
        );
    ledger.announce(
      `${MARK}${ask.id}`,
      usable.map(({ name }) => name),
      now(),
    );
    return Infinity;
  }

  async function attempt(send: Send): Promise<number> {
    const isOfKept = send.ask.startsWith(`${MARK}${KEPT}`);
    const ask = await store.ask(send.ask.slice(MARK.length + (isOfKept ? KEPT.length : 0)));
    // Kept for as long as it could be announced again.
    if (!ask || (send.state !== "due" && now() - ask.updatedAt > 2 * WORTH_MS)) return (ledger.drop(send), Infinity);
    if (send.state !== "due") return Infinity;
    if (send.nextAt > now()) return send.nextAt;
    const { notify } = (await config.current(ask.origin.cwd)).values;
    const channel = channels.find(({ name }) => name === send.channel);
    const isOwn = channel !== undefined && channel === ownOf(ask);
    // Seen meanwhile, or not wanted any more.
    if ((ask.told && !isOwn) || !notify.enabled || (isOfKept && !isKept(ask))) return (ledger.drop(send), Infinity);
    const quiet = quietMs(notify, now());
    if (quiet > 0) return now() + quiet;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      if (isOwn && channel.tell) {
        const words = isOfKept ? keptWords(ask, now()) : lostWords(ask);
        const to = await channel.tell({ ask: ask.id, person: giverOf(ask)?.name }, words, signal);
        await noted(ask.id, { messenger: send.channel, step: "sent", to, words });
        if (ask.state === "mismatched") await heard(ask.id, send.channel);
      } else await channel?.send(mismatchNote(ask), [], notify, signal);
      ledger.save({ ...send, state: "sent" });
      return Infinity;
    } catch (error) {
      const pause = !(error instanceof SendError) || error.again ? PAUSES_MS[send.attempts] : undefined;
      log("warn", "a mismatch was not notified", { ask: ask.id, channel: send.channel, again: pause !== undefined });
      const said = error instanceof SendError ? (error.afterMs ?? 0) : 0;
      const nextAt = now() + Math.max(pause ?? 0, said);
      ledger.save({ ...send, attempts: send.attempts + 1, nextAt, ...(pause === undefined && { state: "failed" }) });
      return pause === undefined ? Infinity : nextAt;
    }
  }

  return {
    run,
    /** Something has happened to it: perhaps an answer was not taken. */
    look: (ask: string): void => void overtaken?.add(ask),
  };
}

/** Decided, and no agent has come for it. */
const isKept = (ask: Ask): boolean => ask.state === "settled" && ask.outcome?.type === "answered" && !goesToTask(ask);

/** Its agent ended without having taken it. */
const isForNobody = ({ state, outcome, deliveries, origin }: Ask): boolean =>
  state === "closed" &&
  outcome?.type === "answered" &&
  origin.task === undefined &&
  deliveries.length > 0 &&
  deliveries.every((each) => each.state === "ended" && each.sentAt === undefined);

function keptWords(ask: Ask, now: number): string {
  return capitalised(safeLine(sentence(ask, titleOf(ask.origin.agent), now), { max: 700 }));
}

/** For who gave the answer, beside their message. */
function lostWords(ask: Ask): string {
  const { outcome, questions } = ask;
  if (isForNobody(ask))
    return `⚠ Your answer did not reach ${titleOf(ask.origin.agent)}: it ended before it had taken it.`;
  if (outcome?.type === "overtaken") {
    const words = capitalised(outcomeWords(outcome, questions));
    return `⚠ Your answer did not reach ${titleOf(ask.origin.agent)}. ${safeLine(words, { max: 700 })}`;
  }
  const received = ask.deliveries.flatMap(({ state, detail = "" }) => (state === "mismatched" ? [detail] : []));
  const title = titleOf(ask.origin.agent);
  return safeText(`⚠ ${title} received something else than you answered: ${received.join("; ")}`, { max: LONGEST });
}

function mismatchNote(ask: Ask): Note {
  const title = titleOf(ask.origin.agent);
  const note = noteOf(ask, title, { buttonsForApprovals: false });
  const body = safeText(mismatchesOf(ask, title).join("\n\n"), { max: LONGEST });
  return {
    ...note,
    mismatch: true,
    title: `${note.project}: ${note.agent} received something else`,
    body,
    buttons: [],
  };
}
