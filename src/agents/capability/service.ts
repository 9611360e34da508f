import type { AgentRemote, RemoteReply } from "./remote.ts";

/**
 * A service of the agent's own that all its terminals share, and that writes down where it listens: Parley is one more
 * client of it while it runs, and needs nothing inside the agent.
 */
export type AgentService = {
  /** Where it writes that down, and where its records are, from the path of the file which set-up wrote. */
  places(settings: string, env: Record<string, string | undefined>): ServicePlace[];
  /**
   * What a file of that folder says. `beside`: the text of another one there. Undefined: it is no registration, or one of a
   * service on another machine. Contract: never throws.
   */
  registered(name: string, text: string, beside: (name: string) => string | undefined): Registration | undefined;
  /** For its password, with HTTP basic. */
  user: string;
  /** `isIt` says whether the one who answers is the one who is registered: a port is soon somebody else's. */
  health: { path: string; isIt(body: unknown, registration: Registration): boolean };
  /** Where its events are, as SSE. */
  events: string;
  /** What is spoken there. `pending` is asked with the items that `open` gives. */
  remote: AgentRemote;
  /** One for each connection: what it remembers of calls is handed on with the events about them. Contract: never throws. */
  listen(): (event: unknown) => ServiceItem;
  /** Everything that waits for somebody. Rejects: it cannot be known. */
  open(get: (path: string) => Promise<RemoteReply>): Promise<ServiceItem[]>;
};
export type ServicePlace = { folder: string; records: string };
export type Registration = { url: string; pid: number; version: string; password?: string | undefined };
export type ServiceItem = { event: unknown; call?: unknown };
