import { asksSecret } from "../../../core/ask/answer/field.ts";
import { isAnswered, isClaimed, isFor } from "../../../core/hub-ask.ts";
import { safeLine } from "../../../core/text/text.ts";
import {
  asleepWords,
  claimWords,
  firstWords,
  halvesWords,
  lookingWords,
  NO_SECRET,
  routeWords,
} from "../../../core/words/hub-words.ts";
import { describeOutcome } from "../../../core/words/outcome/sentence.ts";
import type { HubAskView } from "../../../protocol/hub/hub.ts";
import type { AskView } from "../../../protocol/view.ts";

// What an Ask of a hub has beside those of this machine. Of the others these functions say what was always so.

export const asHub = (ask: AskView): HubAskView | undefined => ("machine" in ask ? (ask as HubAskView) : undefined);

/** Settled, or in a hub answered: then its machine has the last word. */
export const isOver = (ask: AskView): boolean => ask.outcome !== undefined || isAnswered(asHub(ask) ?? {});

/** It can be answered. */
export const isWaiting = (ask: AskView): boolean => ask.state === "open" && !isAnswered(asHub(ask) ?? {});

/** When it was over; of one that is not, when it last changed. */
export const overAt = (ask: AskView): number => ask.settledAt ?? asHub(ask)?.intent?.at ?? ask.updatedAt;

/** Who was first, when and with what, for somebody who is late. */
export function whoWasFirst(ask: AskView, now: number): string {
  const intent = intentOf(ask);
  return intent && isOver(ask) ? firstWords(intent, ask.questions) : describeOutcome(ask, now);
}

/** The answer through the hub, unless it came to nothing and something else was decided. */
export function intentOf(ask: AskView): HubAskView["intent"] {
  const intent = asHub(ask)?.intent;
  return intent && (ask.outcome === undefined || ["sent", "received"].includes(intent.state)) ? intent : undefined;
}

/** An answer on its way, or one of two choices, is taken back by who gave it; of two who agreed, by each. */
export function canTakeBack(ask: AskView | undefined, me: { id: string; name: string } | undefined): boolean {
  const hub = ask && asHub(ask);
  if (!hub || !me) return false;
  const { intent } = hub;
  const isSent = intent?.state === "sent" && [intent.member, ...(intent.with ?? [])].includes(me.name);
  return isSent || (hub.halves ?? []).some(({ id }) => id === me.id);
}

/** An earlier state of it: the reply to an answer may come after the news of its receipt. */
export function isOlder(ask: AskView, known: AskView): boolean {
  if (ask.version !== known.version) return ask.version < known.version;
  const [intent, before] = [asHub(ask)?.intent, asHub(known)?.intent];
  return intent?.state === "sent" && before?.at === intent.at && before.state !== "sent";
}

/** Why no dialog opens for it here. */
export const notHere = (ask: AskView): string | undefined => (asHub(ask) && asksSecret(ask) ? NO_SECRET : undefined);

/** `shop`, of a hub `laptop:shop`. */
export function placeOf(ask: AskView): string {
  const project = safeLine(ask.origin.project ?? ask.agentTitle, { max: 24 });
  const machine = asHub(ask)?.machine;
  return machine ? `${safeLine(machine.name, { max: 24 })}:${project}` : project;
}

/** What a row says of it beside the question: whether its machine is there, whose it is, who has it before them. */
export function hubNotes(ask: AskView, me: string | undefined, now: number): string[] {
  const hub = asHub(ask);
  if (!hub) return [];
  const { machine, claim, route, halves, looking = [], questions } = hub;
  const isMine = isFor(hub, me, now);
  const going = route && !isMine ? routeWords({ ...route, next: undefined }, now) : "";
  const who = claim && isClaimed(hub, now) ? claimWords(claim, now) : going;
  const said = halves ? halvesWords(halves, questions) : who;
  return [
    asleepWords(machine, now),
    isMine && !isClaimed(hub, now, me) ? "for you" : "",
    said,
    lookingWords(looking, me),
  ].filter(Boolean);
}

/** How a list of a hub's Asks is ordered for one of its members, and what the filter finds beside the question. */
export const listedFor = (me: string, now: () => number) => ({
  order: (ask: AskView) => (isFor(asHub(ask) ?? {}, me, now()) ? 0 : 1),
  /** A claim ends by itself. */
  changesAt(ask: AskView, at: number): number | undefined {
    const hub = asHub(ask);
    return hub && isClaimed(hub, at) ? hub.claim?.until : undefined;
  },
  more(ask: AskView): string {
    const hub = asHub(ask);
    if (!hub) return "";
    const { machine, claim, route, intent } = hub;
    const people = [
      isClaimed(hub, now()) ? claim?.member : "",
      ...(route?.people.map(({ member }) => member) ?? []),
      isFor(hub, me, now()) ? "me" : "",
    ];
    const whose = people.filter(Boolean).map((name) => `for:${name}`);
    return [`machine:${machine.name}`, ...whose, ...(intent ? [`by:${intent.member}`] : [])].join(" ");
  },
});
