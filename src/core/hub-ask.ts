type Answered = { intent?: { state: string } | undefined };
type Given = {
  intent?: { state: string; member: string; with?: readonly string[] | undefined } | undefined;
  halves?: readonly { id: string }[] | undefined;
};
type Routed = {
  route?: { people: readonly { id: string }[] } | undefined;
  claim?: { id: string; until: number } | undefined;
};

/** Somebody answered it through the hub, and that has not come to nothing. */
export const isAnswered = ({ intent }: Answered): boolean => intent !== undefined && intent.state !== "withdrawn";

/** The answer through the hub, unless it came to nothing and something else was decided. */
export const intentOf = <I extends { state: string }>(ask: {
  intent?: I | undefined;
  outcome?: object | undefined;
}): I | undefined =>
  ask.intent && (ask.outcome === undefined || ["sent", "received"].includes(ask.intent.state)) ? ask.intent : undefined;

/** Whoever says so is on it until then. */
export const isClaimed = ({ claim }: Routed, now: number, member?: string): boolean =>
  claim !== undefined && claim.until > now && (member === undefined || claim.id === member);

/** It was asked of them, or they are on it. */
export const isFor = (ask: Routed, member: string | undefined, now: number): boolean =>
  member !== undefined && (isClaimed(ask, now, member) || (ask.route?.people.some(({ id }) => id === member) ?? false));

/** An answer on its way, or one of two choices, is taken back by who gave it; of two who agreed, by each. */
export function canTakeBack({ intent, halves = [] }: Given, me: { id: string; name: string } | undefined): boolean {
  if (!me) return false;
  const isSent = intent?.state === "sent" && [intent.member, ...(intent.with ?? [])].includes(me.name);
  return isSent || halves.some(({ id }) => id === me.id);
}
