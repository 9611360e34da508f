import type { Notify } from "../core/config/config.ts";
import type { Route } from "../core/config/routes.ts";
import type { Send } from "../store/ledger.ts";
import { clock } from "../core/words/time.ts";
import { quietMs } from "./quiet.ts";

/** What routes ask of an Ask; `stakes` is worked out only where one asks for it. */
export type Routed = { kind: string; project: string; stakes: () => readonly string[] };
/** How long nobody has pressed a key at the desk; undefined: that cannot be measured here, so nobody is known to be there. */
export type Desk = { idleMs: number; by: string } | undefined;
export type Turn = { send: Send; ms: number; why: string };
type Settings = Pick<Notify, "routes" | "quiet" | "away_minutes" | "ladder" | "next_minutes">;

const MINUTE_MS = 60_000;
/** So long a crowd counts as one. */
export const BURST_MS = 60_000;
const EVERYTHING = { quiet: "", when: "always" } as const;

/** By which route an Ask goes to a messenger: the first that matches. Undefined: it does not go there. */
export function routeFor(
  { routes }: Pick<Notify, "routes">,
  messenger: string,
  ask: Routed,
): Pick<Route, "quiet" | "when"> | undefined {
  const own = routes.filter((route) => route.messenger === messenger);
  if (own.length === 0) return EVERYTHING;
  const found = own.find(
    ({ kind, project, stakes }) =>
      (!kind || kind.some((each) => each === ask.kind)) &&
      (!project || project.some((each) => each.toLowerCase() === ask.project.toLowerCase())) &&
      (!stakes || ask.stakes().some((each) => stakes.some((wanted) => wanted === each))),
  );
  return found?.when === "never" ? undefined : found;
}

/** Some route asks whether somebody is at the desk. */
export const asksForDesk = ({ routes }: Pick<Notify, "routes">) => routes.some(({ when }) => when === "away");

/**
 * When each messenger that was not told yet has its turn with one Ask, and why not before. `ms` 0: now; Infinity: never any
 * more. Contract: pure. Whoever is passed over for the hour or the desk holds up nobody behind it on the ladder.
 */
export function turnsOf(sends: readonly Send[], ask: Routed, settings: Settings, now: number, desk: Desk): Turn[] {
  const due = sends.filter(({ state }) => state === "due");
  const free = due.filter(({ channel }) => !settings.ladder.some((name) => name === channel));
  const turns = free.map((send) => ({ send, ...ownWait(send, ask, settings, now, desk) }));
  let from = -Infinity;
  let before = "";
  for (const name of settings.ladder) {
    const send = sends.find(({ channel }) => channel === name);
    // The next one takes its place.
    if (!send || send.state === "failed") continue;
    if (send.state !== "due") {
      from = Math.min(send.plan.told ?? send.plan.at ?? now, now) + settings.next_minutes * MINUTE_MS;
      before = name;
      continue;
    }
    const own = ownWait(send, ask, settings, now, desk);
    if (from > now) {
      turns.push({ send, ms: Math.max(from - now, own.ms), why: `${before} comes first` });
      from += settings.next_minutes * MINUTE_MS;
    } else {
      turns.push({ send, ...own });
      if (own.ms === 0) from = now + settings.next_minutes * MINUTE_MS;
    }
    if (own.ms === 0) before = name;
  }
  return turns;
}

/** Whatever the others do: the hour, and who is at the desk. */
export function ownWait(
  { channel }: Pick<Send, "channel">,
  ask: Routed,
  settings: Settings,
  now: number,
  desk: Desk,
): { ms: number; why: string } {
  const route = routeFor(settings, channel, ask);
  if (!route) return { ms: Infinity, why: "no route leads there any more" };
  const quiet = Math.max(quietMs(settings, now), quietMs(route, now));
  if (quiet > 0) return { ms: quiet, why: `quiet until ${clock(now + quiet).slice(11, 16)}` };
  const away = settings.away_minutes * MINUTE_MS;
  if (route.when !== "away" || !desk || desk.idleMs >= away) return { ms: 0, why: "" };
  return { ms: away - desk.idleMs, why: `somebody is at the desk (${desk.by})` };
}

/** What is to go out now on one messenger, what waits behind the message that counts it, and when to look again. */
export type Admitted = { go: Send[]; carrier?: Send; behind: Send[]; ms: number };

/**
 * Keeps a crowd from becoming a crowd of messages: when more than `burst` would go out within a minute, one goes, with the
 * number of the others, and they come when it is settled. Contract: pure; each is told, or counted in a message, or has a
 * time at which it is looked at again. `all`: of that messenger, of Asks that are open; `going`: on their way already.
 */
export function admit(
  ready: readonly Send[],
  all: readonly Send[],
  going: ReadonlySet<string>,
  burst: number,
  now: number,
): Admitted {
  if (burst === 0) return { go: [...ready], behind: [], ms: Infinity };
  const isAlive = ({ state, ask }: Send) => state === "sent" || (state === "due" && going.has(ask));
  const toldAt = ({ plan }: Send) => Math.min(plan.told ?? now, now);
  const recent = all.filter((send) => isAlive(send) && toldAt(send) > now - BURST_MS);
  const carriers = all.filter((send) => send.plan.carries && isAlive(send));
  let ms = Infinity;
  const free = ready.filter(({ plan }) => {
    const carrier = carriers.find(({ ask }) => ask === plan.behind);
    if (!carrier) return true;
    if (plan.counted) return false;
    const left = toldAt(carrier) + BURST_MS - now;
    if (left > 0) ms = Math.min(ms, left);
    return left <= 0;
  });
  if (free.length <= burst - recent.length) return { go: free, behind: [], ms };
  const current = carriers.find((send) => toldAt(send) > now - BURST_MS);
  if (current) return { go: [], carrier: current, behind: free, ms: Math.min(ms, toldAt(current) + BURST_MS - now) };
  const [carrier, ...behind] = free;
  return carrier ? { go: [carrier], carrier, behind, ms } : { go: [], behind: [], ms };
}
