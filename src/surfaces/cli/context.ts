import type { Client } from "../../client/client.ts";
import type { Policy } from "../../core/hub-policy.ts";
import type { HubToken } from "../../core/hub-token.ts";
import type { Finding } from "../../core/finding.ts";
import type { Paths } from "../../machine/home.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type Contents = { bytes: number; asks: number; events: number; schema: number };
export type Health =
  | { type: "empty" }
  | { type: "sound"; asks: number; events: number; newestAt: number }
  | { type: "damaged"; detail: string };
export type Backups = {
  checkStore(paths: Paths): Promise<Health>;
  saveBackup(paths: Paths, file: string, options: { force: boolean }): Promise<Contents>;
  saveToSend(paths: Paths): Promise<Contents & { file: string }>;
  inspectBackup(paths: Paths, file: string): Promise<Contents>;
  restoreBackup(paths: Paths, file: string): Promise<Contents & { before?: string }>;
};

/** Runs the daemon in this process until it ends; `up` is called once it answers. Undefined: another one runs already. */
export type Serve = (options: {
  detached: boolean;
  byHand: boolean;
  up: (url: string) => void;
}) => Promise<number | undefined>;
/** Where a hub keeps what it knows. */
export type HubPlace = { data: string } | { database: string; password?: string };
export type AuditHead = { seq: number; hash: string; at: number; key: string; signature: string };
export type Audited = {
  ok: boolean;
  events: number;
  head: AuditHead | null;
  problems: { seq: number; kind: string; record?: string }[];
};
export type HubRoute = {
  project: string | null;
  kind: string | null;
  stakes: boolean;
  afterMs: number;
  to: { type: string; name: string }[];
};
type HubGroup = { name: string; members: string[] };
type RouteWish = { project: string | undefined; kind: string | undefined; stakes: boolean };
export type HubAdmin = {
  routes(): Promise<HubRoute[]>;
  setRoute(wish: RouteWish & { to: readonly string[]; ms: number }): Promise<HubRoute>;
  removeRoute(wish: RouteWish): Promise<object>;
  groups(): Promise<HubGroup[]>;
  setGroup(name: string, members: readonly string[]): Promise<HubGroup>;
  machineToken(wanted: {
    name: string;
    projects: readonly string[];
    ms: number | undefined;
  }): Promise<{ token: string; machine: string; projects: string[] }>;
  exportAudit(out: string): Promise<{ events: number; head: AuditHead }>;
  verifyAudit(head: string | undefined): Promise<Audited>;
  forget(ms: number): Promise<{ contents: number; asks: number }>;
  sessions(): Promise<
    { id: string; member: string; memberName: string; name: string; madeAt: number; seenAt: number }[]
  >;
  tokens(): Promise<HubToken[]>;
  invite(wish: {
    name: string;
    role: string;
    project?: string | undefined;
    ms: number;
    url?: string | undefined;
  }): Promise<{ link: string; member: string; role: string; project?: string; expiresAt: number; earlier?: string }>;
  code(ms: number): Promise<{ code: string; expiresAt: number }>;
  token(wanted: {
    member: string;
    role: string;
    project: string | undefined;
    ms: number | undefined;
  }): Promise<{ token: string; id: string; member: string; role: string; earlier?: string }>;
  machines(): Promise<{ id: string; name: string; state: string; seenAt: number; projects: string[] }[]>;
  members(): Promise<{ id: string; name: string; state: string; roles: string[] }[]>;
  policies(): Promise<Policy[]>;
  addPolicy(wish: {
    two: boolean;
    signed: boolean;
    project: string | undefined;
    kind: string | undefined;
    stake: string | undefined;
  }): Promise<void>;
  removePolicy(typed: string): Promise<void>;
  revoke(typed: string): Promise<{ id: string; name: string; what: string }>;
};
export type Hubs = {
  serveHub(
    place: HubPlace,
    options: {
      listen: { host: string; port: number };
      tls?: { cert: string; key: string };
      trusted?: readonly string[];
      plain?: boolean;
      version: string;
      page?: string;
      claimMs: number;
      drainMs: number;
      push?: { text: boolean; anywhere: boolean };
      up: (there: { url: string; page?: string; firstMemberLink?: string }) => void;
    },
  ): Promise<void>;
  withHub<T>(place: HubPlace, work: (admin: HubAdmin) => Promise<T>): Promise<T>;
  examineHub(place: HubPlace): Promise<Finding[]>;
  verifyAuditFile(file: string, head: string | undefined): Promise<Audited>;
};
/** What `main.ts` lends: surfaces themselves know neither daemon nor database. */
export type Lent = { serve: Serve; backups: () => Promise<Backups>; hubs: () => Promise<Hubs> };
/** What every command gets. `client` starts the daemon when it is first used. */
export type Context = Lent & {
  terminal: Terminal;
  client: Client;
  paths: Paths;
  version: string;
};
