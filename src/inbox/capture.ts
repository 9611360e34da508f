import type { Agent } from "../agents/agent.ts";
import type { HookReading } from "../agents/capability/reading.ts";
import { isUnnamed, unnamedKey, type Ask, type Delivery, type Origin } from "../core/ask/ask.ts";
import { asksSecret } from "../core/ask/answer/field.ts";
import type { ChannelName } from "../core/ask/channel.ts";
import { canonicalQuestions } from "../core/ask/canonical.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import type { Decided, Inbox } from "./inbox.ts";

/** A hook that comes late comes within so many questions of its session; each costs every hook a look. */
const MOST_RECENT = 20;
type Asked = HookReading & { type: "asked" };
/** `channel`: the way back that its agent has while its dialog is open. */
type Caller = { call: string; payload: unknown; channel?: ChannelName };
export type Place = { ask: Ask; delivery: Delivery };

/** While no hook waits for the answer. */
export const wayBackFor = ({ hooks }: Agent, { isOnlySeen }: Asked): ChannelName =>
  hooks?.isTyped ? (isOnlySeen ? "none" : "keys") : "race";

/**
 * One question, one Ask, however often and in whatever order it arrives.
 * Contract: calls for one session run one after the other.
 */
export function createCapture({ store, inbox }: { store: Store; inbox: Inbox }) {
  return async function capture(
    asked: Asked,
    { call, payload, channel = "race" }: Caller,
    origin: () => Promise<Origin>,
    decide: () => Promise<Decided | undefined> = async () => undefined,
  ): Promise<Place> {
    const recent = await store.list({ session: asked.session.id, order: "newest", limit: MOST_RECENT });
    const place = asked.key === undefined ? unnamed(recent, asked, call) : named(recent, asked, asked.key);
    if (place?.known) return place.known;
    if (place?.join) {
      const { ask: before, key, replaces } = place.join;
      const ask = await inbox.change(before.id, () => [{ type: "ask.joined", key, ...(replaces && { replaces }) }]);
      return at(ask, key);
    }
    const key = asked.key ?? unnamedKey(call);
    const { kind, questions, match, call: wanted, editable, prefill } = asked;
    const about = {
      ...(match !== undefined && { match }),
      ...(wanted && { call: wanted }),
      ...(editable && { editable }),
    };
    const made = {
      kind,
      questions,
      ...about,
      origin: await origin(),
      key,
      channel: asked.channel ?? channel,
      ...(prefill && { prefill }),
      raw: asksSecret(asked) ? { omitted: "it asks for a secret" } : bounded(payload),
    } as const;
    return at(await inbox.createDecided(made, decide), key);
  };
}

/**
 * Asks of this session that the agent has left behind: it asks again in another turn. Not those that came after its
 * hook was called: then it is the hook that is of an earlier turn and late.
 */
export async function leftBehind(store: Store, asked: Asked, calledAt: number): Promise<Ask[]> {
  const active = await store.list({ session: asked.session.id, states: ACTIVE });
  const before = active.filter(({ createdAt }) => createdAt <= calledAt);
  return before.filter((ask) => ask.origin.subagent === asked.subagent && otherTurn(ask, asked));
}

type Found = { known?: Place; join?: { ask: Ask; key: string; replaces?: string } } | undefined;

function named(recent: readonly Ask[], asked: Asked, key: string): Found {
  const known = recent.find((ask) => ask.deliveries.some((d) => d.key === key));
  if (known) return { known: at(known, key) };
  const same = recent.filter((ask) => isSame(ask, asked) && ask.deliveries.some(waits));
  const nameless = same.find((ask) => ask.deliveries.some(isUnnamed));
  const replaces = nameless?.deliveries.find(isUnnamed)?.key;
  if (nameless && replaces) return { join: { ask: nameless, key, replaces } };
  const twin = same.find((ask) => !ask.outcome);
  return twin && { join: { ask: twin, key } };
}

/** The dialog's hook has no id: it belongs to the oldest equal delivery that no hook waits for. */
function unnamed(recent: readonly Ask[], asked: Asked, call: string): Found {
  const isMine = ({ hold, key }: Delivery) => hold === call || key === unnamedKey(call);
  const returning = recent.find((ask) => ask.deliveries.some(isMine));
  const mine = returning?.deliveries.find(isMine);
  if (returning && mine) return { known: { ask: returning, delivery: mine } };
  // What a grant decided is for the call it was counted with: an equal one is looked at anew.
  const same = recent.filter((ask) => isSame(ask, asked) && ask.outcome?.grant === undefined).toReversed();
  const free = same.flatMap((ask) =>
    ask.deliveries.filter((d) => waits(d) && isFree(d)).map((delivery) => ({ ask, delivery })),
  );
  if (free[0]) return { known: free[0] };
  const held = same.find((ask) => ask.deliveries.some(waits));
  const delivery = held?.deliveries.find(waits);
  return held && delivery ? { known: { ask: held, delivery } } : tooLate(same, asked);
}

/** A hook that found no daemon for a while comes when its question is over: a second Ask would ask what is answered. */
function tooLate(same: readonly Ask[], { turn }: Asked): Found {
  const ofThisTurn = same.filter(({ origin }) => turn !== undefined && origin.turn === turn);
  const ask = ofThisTurn.findLast(({ deliveries }) => deliveries.some(neverHeld));
  const delivery = ask?.deliveries.find(neverHeld);
  return ask && delivery && { known: { ask, delivery } };
}

const waits = (delivery: Delivery) => delivery.state === "waiting";
/** A hook that waited before the dialog (hold mode) leaves room for the dialog's own. */
const isFree = (delivery: Delivery) => neverHeld(delivery) || delivery.released !== undefined;
const neverHeld = ({ hold }: Delivery) => hold === undefined;

function isSame(ask: Ask, asked: Asked): boolean {
  return (
    ask.origin.subagent === asked.subagent &&
    !otherTurn(ask, asked) &&
    ask.match === asked.match &&
    (asked.match !== undefined || canonicalQuestions(ask.questions) === canonicalQuestions(asked.questions))
  );
}

function otherTurn(ask: Ask, asked: Asked): boolean {
  return ask.origin.turn !== undefined && asked.turn !== undefined && ask.origin.turn !== asked.turn;
}

function at(ask: Ask, key: string): Place {
  const delivery = ask.deliveries.find((d) => d.key === key);
  if (!delivery) throw new Error(`ask ${ask.id} has no delivery ${key}`);
  return { ask, delivery };
}

const MOST_RAW = 64 * 1024;

/** A payload with whole files in it is not worth keeping; how large it was is. */
function bounded(payload: unknown): unknown {
  const { length } = JSON.stringify(payload) ?? "";
  return length > MOST_RAW ? { omitted: `${length} characters` } : payload;
}
