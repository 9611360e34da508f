import type { Ask, AskState, Delivery } from "./ask.ts";
import type { AskEvent, SessionEvent } from "./event.ts";
import type { Outcome } from "./outcome.ts";
import type { Opinion } from "./proposal.ts";
import type { Session } from "./session.ts";

export type Stamp = { id: string; at: number };

/**
 * The one place where an event changes an Ask.
 * Contract: total (an event that does not fit leaves the Ask as it was), and the version grows by one.
 */
export function applyAskEvent(ask: Ask | undefined, event: AskEvent, { id, at }: Stamp): Ask {
  if (event.type === "ask.captured") return ask ?? capture(event, { id, at });
  if (!ask) throw new Error(`event ${event.type} for unknown ask ${id}`);
  const changed = { ...ask, ...change(ask, event, at) };
  const state = stateOf(changed);
  const settledAt = changed.settledAt ?? (state === "open" ? undefined : at);
  return {
    ...changed,
    state,
    version: ask.version + 1,
    updatedAt: at,
    ...(settledAt === undefined ? {} : { settledAt }),
  };
}

export function applySessionEvent(session: Session | undefined, event: SessionEvent, { id, at }: Stamp): Session {
  const known: Session = session ?? { id, agent: "unknown", startedAt: at, seenAt: at };
  switch (event.type) {
    case "session.seen": {
      const { endedAt: _ended, endReason: _reason, ...alive } = known;
      return {
        ...alive,
        ...event.session,
        id,
        agent: event.session.agent ?? known.agent,
        startedAt: known.startedAt,
        seenAt: at,
      };
    }
    case "session.idle": {
      const { said, asked, prompt } = event;
      const idle = {
        // Only its own notice adds to what is known; the end of another turn is new.
        ...((asked && known.idle) || { since: at }),
        ...(said !== undefined && { said }),
        ...(asked && { asked }),
        ...(prompt !== undefined && { prompt }),
      };
      return { ...known, idle };
    }
    case "session.busy": {
      const { idle: _idle, ...busy } = known;
      return busy;
    }
    case "session.dismissed":
      return known.idle ? { ...known, idle: { ...known.idle, dismissedAt: at } } : known;
    case "session.corrected":
      return { ...known, corrections: event.asks };
    case "session.ended":
      return { ...known, endedAt: at, endReason: event.reason };
  }
}

function capture(event: AskEvent & { type: "ask.captured" }, { id, at }: Stamp): Ask {
  const { kind, questions, origin, key, channel, match, call, editable, deadline, prefill, assumption } = event;
  const said: Partial<Ask> = {};
  if (match !== undefined) said.match = match;
  if (call) said.call = call;
  if (editable) said.editable = editable;
  if (deadline) said.deadline = deadline;
  if (prefill) said.prefill = prefill;
  if (assumption !== undefined) said.assumption = assumption;
  const deliveries: Delivery[] = [{ key, state: "waiting", channel }];
  return { id, version: 1, kind, ...said, state: "open", questions, origin, deliveries, createdAt: at, updatedAt: at };
}

function change(ask: Ask, event: Exclude<AskEvent, { type: "ask.captured" }>, at: number): Partial<Ask> {
  // A delivery that has its verdict keeps it, whatever comes late.
  const on = (key: string, patch: Partial<Delivery>) => ({
    deliveries: ask.deliveries.map((d) => (d.key === key && open(d) ? { ...d, ...patch } : d)),
  });
  switch (event.type) {
    case "ask.joined":
      return { ...joined(ask, event), origin: { ...ask.origin, ...event.origin, agent: ask.origin.agent } };
    case "ask.context": {
      const { lastText, command, sessionTitle, isContextRead, facts, diff } = event;
      const known = {
        ...(lastText !== undefined && { lastText }),
        ...(command !== undefined && { command }),
        ...(sessionTitle !== undefined && { sessionTitle }),
        ...(isContextRead !== undefined && { isContextRead }),
      };
      return {
        origin: { ...ask.origin, ...known },
        ...(facts && { facts }),
        ...(diff !== undefined && { diff }),
      };
    }
    case "ask.autopilot":
      return piloted(ask, event, at);
    case "ask.reviewed":
      return reviewed(ask, event, at);
    case "ask.corrected":
      return corrected(ask, event, at);
    case "ask.held":
      return on(event.key, { hold: event.hold, channel: event.channel, racing: event.racing, released: undefined });
    case "ask.released":
      return on(event.key, { released: event.reason });
    case "ask.typing":
      return on(event.key, { channel: "keys", typedAt: at, released: undefined });
    case "ask.snoozed":
      return ask.outcome ? {} : { snoozedUntil: event.until };
    case "ask.settled":
      return ask.outcome ? {} : { outcome: event.outcome, ...allowedCall(ask, event.outcome) };
    case "ask.sent":
      return on(event.key, { state: "sent", channel: event.channel, sentAt: at });
    case "ask.verified":
      return on(event.key, { state: "verified", confirmedAt: at, detail: event.detail });
    case "ask.mismatched":
      return on(event.key, { state: "mismatched", confirmedAt: at, detail: event.detail });
    case "ask.told":
      return ask.told ? {} : { told: { at, to: event.to } };
    // Only for who asks later who was told.
    case "ask.messaged":
      return {};
    case "ask.ended":
      return ended(ask, event, on(event.key, { state: "ended", confirmedAt: at }));
    case "ask.closed":
      return {
        outcome: ask.outcome ?? event.outcome,
        deliveries: ask.deliveries.map((d) => (open(d) ? { ...d, state: "ended" as const } : d)),
      };
  }
}

/** What was allowed is what it was changed to: whoever looks back at it, or grants more of it, means that. */
function allowedCall({ call }: Ask, { changed }: Outcome): Partial<Ask> {
  return changed?.what === "command" && call?.type === "command" ? { call: { ...call, command: changed.text } } : {};
}

/** What it proposed stays known until it proposes something else or withdraws it; once an Ask is settled only a late reply is news. */
function piloted(ask: Ask, event: AskEvent & { type: "ask.autopilot" }, at: number): Partial<Ask> {
  if (ask.outcome && event.state !== "late") return {};
  const before = ask.autopilot;
  const { state, why, due, passing, brain = before?.brain, asked = before?.asked } = event;
  const proposal = event.withdrawn ? undefined : (event.proposal ?? before?.proposal);
  const replied = event.proposal?.by.type === "brain" ? event.proposal : undefined;
  const reply = replied ?? (asked === before?.asked ? before?.reply : undefined);
  const escalated = event.escalated ?? before?.escalated;
  const opinions = opined(before?.opinions, event.opinions);
  const takenBack = state === "undone" || before?.takenBack;
  return {
    autopilot: {
      state,
      at,
      why,
      ...(proposal && { proposal }),
      ...(due !== undefined && { due }),
      ...(brain !== undefined && { brain }),
      ...(passing && { passing }),
      ...(asked !== undefined && { asked }),
      ...(reply && { reply }),
      ...(escalated !== undefined && { escalated }),
      ...(opinions && { opinions }),
      ...(takenBack && { takenBack }),
    },
  };
}

/** Who once saw a proposal has seen it. */
function opined(before: readonly Opinion[] | undefined, now: Opinion[] | undefined): Opinion[] | undefined {
  if (!now) return before && [...before];
  const isShown = before?.some(({ shown }) => shown) ?? false;
  return now.map((opinion) => ({ ...opinion, ...((isShown || opinion.shown) && { shown: true }) }));
}

const MOST_REVIEWS = 20;

function reviewed(
  { reviews = [] }: Ask,
  { type: _type, ...review }: AskEvent & { type: "ask.reviewed" },
  at: number,
): Partial<Ask> {
  return { reviews: [...reviews, { ...review, at }].slice(-MOST_REVIEWS) };
}

function corrected(
  { reviews = [] }: Ask,
  { to, call, isBack }: AskEvent & { type: "ask.corrected" },
  at: number,
): Partial<Ask> {
  const last = reviews.findLastIndex(({ verdict }) => verdict === "corrected");
  return {
    reviews: reviews.map(({ told, ...review }, i) => {
      if (i !== last) return told ? { ...review, told } : review;
      return isBack ? review : { ...review, told: told ?? { at, to, ...(call !== undefined && { call }) } };
    }),
  };
}

function joined(ask: Ask, event: AskEvent & { type: "ask.joined" }): Partial<Ask> {
  const { key, replaces } = event;
  if (ask.deliveries.some((d) => d.key === key)) return {};
  if (replaces) return { deliveries: ask.deliveries.map((d) => (d.key === replaces ? { ...d, key } : d)) };
  const channel = ask.deliveries[0]?.channel;
  return { deliveries: [...ask.deliveries, { key, state: "waiting", ...(channel === undefined ? {} : { channel }) }] };
}

/** A twin that still waits keeps the Ask open: somebody's dialog is on the screen. */
function ended(ask: Ask, event: AskEvent & { type: "ask.ended" }, patch: { deliveries: Delivery[] }): Partial<Ask> {
  if (!ask.outcome && patch.deliveries.some((d) => d.state === "waiting")) return patch;
  if (ask.outcome && event.outcome.type !== "overtaken") return patch;
  if (event.outcome.type === "overtaken" && patch.deliveries.some((d) => d.state !== "ended")) return patch;
  return { ...patch, outcome: event.outcome };
}

const open = (delivery: Delivery) => delivery.state === "waiting" || delivery.state === "sent";

function stateOf({ outcome, deliveries }: Ask): AskState {
  if (!outcome) return "open";
  const has = (state: Delivery["state"]) => deliveries.some((d) => d.state === state);
  if (has("waiting")) return "settled";
  if (has("sent")) return "delivered";
  if (has("mismatched")) return "mismatched";
  return has("verified") ? "verified" : "closed";
}
