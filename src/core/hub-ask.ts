type Answered = { intent?: { state: string } | undefined };
type Routed = {
  route?: { people: readonly { id: string }[] } | undefined;
  claim?: { id: string; until: number } | undefined;
};

/** Somebody answered it through the hub, and that has not come to nothing. */
export const isAnswered = ({ intent }: Answered): boolean => intent !== undefined && intent.state !== "withdrawn";

/** Whoever says so is on it until then. */
export const isClaimed = ({ claim }: Routed, now: number, member?: string): boolean =>
  claim !== undefined && claim.until > now && (member === undefined || claim.id === member);

/** It was asked of them, or they are on it. */
export const isFor = (ask: Routed, member: string | undefined, now: number): boolean =>
  member !== undefined && (isClaimed(ask, now, member) || (ask.route?.people.some(({ id }) => id === member) ?? false));
