import type { Agent } from "../../agents/agent.ts";
import type { AgentRemote, RemoteReply, RemoteRequest } from "../../agents/capability/remote.ts";
import { createFamily, type Family, type Said } from "./family.ts";
import type { LinkHello } from "../../protocol/link.ts";

/** A connection to a running agent. */
export type Link = {
  readonly id: string;
  readonly agent: Agent;
  readonly remote: AgentRemote;
  readonly hello: LinkHello;
  readonly family: Family;
  /** It is a run of this task. */
  readonly task: string | undefined;
  /** Contract: never rejects. */
  request(request: RemoteRequest): Promise<RemoteReply>;
};
/** How requests get to the agent. False: it did not. */
export type Send = (request: RemoteRequest & { id: number }) => boolean;

const LOST: RemoteReply = { status: 0, body: null };
const PATIENCE_MS = 30_000;
export type Links = ReturnType<typeof createLinks>;

/** The connections that are there right now. In memory only: whoever is at their ends comes back by itself. */
export function createLinks() {
  const links = new Map<string, Link & { close(): void; replied(id: number, reply: RemoteReply): void }>();

  return {
    get: (id: string): Link | undefined => links.get(id),
    add(agent: Agent, remote: AgentRemote, hello: LinkHello, send: Send, task?: string): Link {
      const id = crypto.randomUUID();
      const waiting = new Map<number, (reply: RemoteReply) => void>();
      let last = 0;
      const replied = (number: number, reply: RemoteReply) => {
        waiting.get(number)?.(reply);
        waiting.delete(number);
      };
      const link = {
        id,
        agent,
        remote,
        hello,
        task,
        family: createFamily(),
        replied,
        request(request: RemoteRequest): Promise<RemoteReply> {
          const { promise, resolve } = Promise.withResolvers<RemoteReply>();
          const number = ++last;
          waiting.set(number, resolve);
          if (!links.has(id) || !send({ ...request, id: number })) replied(number, LOST);
          const late = setTimeout(() => replied(number, LOST), PATIENCE_MS);
          return promise.finally(() => clearTimeout(late));
        },
        close(): void {
          for (const number of waiting.keys()) replied(number, LOST);
        },
      };
      links.set(id, link);
      return link;
    },
    /** What the other end says of a request. */
    replied: (id: string, { id: number, ...reply }: RemoteReply & { id: number }) =>
      links.get(id)?.replied(number, { status: reply.status, body: reply.body }),
    /** False: it was gone already. */
    remove(id: string): boolean {
      links.get(id)?.close();
      return links.delete(id);
    },
  };
}

/** Where it works and where its record is, the connection knows. */
export function withFacts({ remote, hello }: Link, reading: Said) {
  const { record, directory, server } = hello;
  const session = {
    ...(directory !== undefined && { cwd: directory }),
    ...(server !== undefined && { server }),
    ...(record !== undefined && { transcript: remote.recordOf(record, reading.session.id) }),
  };
  return { ...reading, session: { ...session, ...reading.session } };
}
