import type { HubToken } from "../../core/hub-token.ts";
import type { HubAskView } from "./hub.ts";

// What a hub and its page in a browser say to each other. No schema library: the page has none.

export type MachineState = { id: string; name: string; online: boolean; seenAt: number };
/**
 * `reload`: so much happened that the list is read anew. Without `machines` they are as they were. `team`: another one when the
 * team's rules, people, browsers or tasks are to be read again.
 */
export type News = { cursor: string; machines?: MachineState[]; team?: string; asks: HubAskView[]; reload: boolean };
export type Person = { id: string; name: string; grants: { role: string; project: string | null }[] };
export type SignedInBrowser = {
  id: string;
  name: string;
  member: string;
  memberName: string;
  madeAt: number;
  seenAt: number;
};
/** Who is signed in here, and what they may see of the others. */
export type HubHere = {
  session: string | null;
  member: Person;
  people: Person[];
  sessions: SignedInBrowser[];
  /** For an admin alone; a hub of an earlier version says nothing of them. */
  tokens?: HubToken[];
  isAdmin: boolean;
  /** The ids of one's own passkeys. */
  passkeys: string[];
};
export type Invited = { name: string | null; role: string; project: string | null; first: boolean };
