export type HubMachine = {
  id: string;
  name: string;
  projects: string[];
  joinedAt: number;
  seenAt: number;
  revokedAt: number | null;
  /** The connection it has, at whichever hub; null: none. */
  link: string | null;
  /** Up to where its log is here; null: nothing yet. */
  logRead: number | null;
  intents: number;
};
export type HubIntent = {
  n: number;
  key: string;
  ask: string;
  member: string;
  name: string;
  at: number;
  settlement: unknown;
  state: string;
  detail: string | null;
  /** Read with its Ask; null: none was said. */
  reason?: string | null;
};
export type AskCopy = {
  id: string;
  version: number;
  state: string;
  project: string | null;
  createdAt: number;
  view: object;
};

export type Row = Record<string, string | number | null>;
export const MACHINE = `id, name, projects, joined_at AS "joinedAt", seen_at AS "seenAt", revoked_at AS "revokedAt", link,
  log_read AS "logRead", intents`;
export const INTENT = `i.n, i.key, i.ask, i.member, p.name, i.at, i.settlement, i.state, i.detail`;

export const machineOf = (row: Row): HubMachine =>
  ({ ...row, projects: JSON.parse(String(row["projects"])) }) as unknown as HubMachine;

export const intentOf = (row: Row): HubIntent =>
  ({ ...row, settlement: JSON.parse(String(row["settlement"])) }) as unknown as HubIntent;
