import { readFileSync } from "node:fs";
import type { Agent } from "../../agents/agent.ts";
import { AGENTS } from "../../agents/agents.ts";
import type { RemoteReply, RemoteRequest } from "../../agents/capability/remote.ts";
import { ParleyError } from "../../core/error.ts";
import { keepList } from "../../machine/file/kept-list.ts";
import type { Log } from "../../machine/log.ts";
import { eventsIn } from "../../core/text/event-stream.ts";
import type { Remote } from "./remote.ts";

/** `passwordFile`: read each time it is needed; the password itself is kept nowhere. */
export type ServerName = { url: string; passwordFile?: string | undefined };
export type WatchedServer = ServerName & { sees: string };
export type ServerWatch = ReturnType<typeof createServerWatch>;
type Deps = { remote: Remote; file: string; log: Log };
type Watched = WatchedServer & { over: AbortController };

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 10_000];
const PATIENCE_MS = 10_000;

/** Agents' own servers that a person asked to watch: Parley connects to them, again and again. */
export function createServerWatch({ remote, file, log }: Deps) {
  const servers = new Map<string, Watched>();

  /** Stays until the connection breaks. */
  async function connect(watched: Watched): Promise<void> {
    const { agent, version } = await found(watched);
    const { server } = agent.remote ?? {};
    if (!server) return;
    const { signal } = watched.over;
    const response = await fetch(addressOf(watched, server.events), { headers: headersFor(watched, agent), signal });
    if (!response.ok || !response.body) throw new Error(`its events cannot be read (${response.status})`);
    const hello = { agent: agent.name, version, server: watched.url, facts: {}, ...directoryIn(watched) };
    const link = await remote.open(hello, ({ id, ...request }) => {
      void send(watched, agent, request).then(
        (reply) => remote.replies(link.id, { replies: [{ id, ...reply }] }),
        ignore,
      );
      return true;
    });
    watched.sees = `connected to ${agent.title} ${version}`;
    try {
      for await (const event of eventsIn(response.body)) await remote.events(link.id, { events: [{ event }] });
      throw new Error("the connection ended");
    } finally {
      await remote.close(link.id);
    }
  }

  async function stayConnected(watched: Watched): Promise<void> {
    for (let pause = SHORTEST_PAUSE_MS; !watched.over.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const began = performance.now();
      await connect(watched).catch((error: unknown) => {
        const sees = `not connected: ${messageOf(error)}`;
        if (sees !== watched.sees && !watched.over.signal.aborted)
          log("warn", "a watched server", { url: watched.url, sees });
        watched.sees = sees;
        return isGone(watched, error) ? remote.serverGone(watched.url) : undefined;
      });
      if (performance.now() - began > LONGEST_PAUSE_MS) pause = SHORTEST_PAUSE_MS;
      await Bun.sleep(pause);
    }
  }

  async function watch({ url, passwordFile }: ServerName): Promise<WatchedServer> {
    const name = plain(url);
    const watched: Watched = { url: name, passwordFile, sees: "not connected yet", over: new AbortController() };
    const { agent, version } = await found(watched);
    servers.get(name)?.over.abort();
    servers.set(name, watched);
    save();
    void stayConnected(watched);
    return { url: name, passwordFile, sees: `${agent.title} ${version}` };
  }

  const save = (): void =>
    keepList(
      file,
      [...servers.values()].map(({ url, passwordFile }) => ({ url, passwordFile })),
    );

  return {
    watch,
    unwatch({ url }: ServerName): boolean {
      const name = plain(url);
      servers.get(name)?.over.abort();
      const was = servers.delete(name);
      if (was) save();
      return was;
    },
    list: (): WatchedServer[] => [...servers.values()].map(({ over: _over, ...shown }) => shown),
    /** What an earlier daemon watched. A file that cannot be read is as none. */
    resume(): void {
      for (const { url, passwordFile } of kept(file)) {
        const watched = { url, passwordFile, sees: "not connected yet", over: new AbortController() };
        servers.set(url, watched);
        void stayConnected(watched);
      }
    },
    stop(): void {
      for (const { over } of servers.values()) over.abort();
    },
  };
}

/** Which agent it is. */
async function found(watched: Watched): Promise<{ agent: Agent; version: string }> {
  const problems: string[] = [];
  for (const agent of AGENTS) {
    const server = agent.remote?.server;
    if (!server) continue;
    const { status, body } = await send(watched, agent, server.health);
    const version = status === 200 ? server.versionIn(body) : undefined;
    if (version !== undefined) return { agent, version };
    problems.push(
      status === 401
        ? `${agent.title} wants a password: parley watch ${watched.url} --password-file FILE`
        : status === 0
          ? String(body)
          : `it is not ${agent.title}`,
    );
  }
  throw new ParleyError("not_found", `Nothing that Parley knows answers at ${watched.url}: ${problems.join("; ")}`);
}

async function send(watched: Watched, agent: Agent, { method, path, body }: RemoteRequest): Promise<RemoteReply> {
  try {
    const headers = {
      ...headersFor(watched, agent),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const signal = AbortSignal.any([watched.over.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(addressOf(watched, path), { method, headers, signal, redirect: "error", ...sent });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
  } catch (error) {
    return { status: 0, body: messageOf(error) };
  }
}

function headersFor({ passwordFile }: ServerName, { remote }: Agent): Record<string, string> {
  if (passwordFile === undefined) return {};
  const password = readFileSync(passwordFile, "utf8").replace(/\r?\n$/, "");
  return { authorization: `Basic ${Buffer.from(`${remote?.server?.user}:${password}`).toString("base64")}` };
}

/** `?directory=` of the watched address goes with every request. */
function addressOf({ url }: ServerName, path: string): string {
  const [base, query] = url.split("?");
  return `${base?.replace(/\/$/, "")}${path}${query === undefined ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`;
}

function directoryIn({ url }: ServerName): { directory?: string } {
  const directory = URL.parse(url)?.searchParams.get("directory");
  return directory ? { directory } : {};
}

/** Contract: throws for what is no address, and for a password in it: that would stand in histories and lists. */
function plain(url: string): string {
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new ParleyError("usage", `Expected an address such as http://127.0.0.1:4096, not "${url}"`);
  if (address.username !== "" || address.password !== "")
    throw new ParleyError("usage", "No password in an address: put it into a file and name that with --password-file");
  return url;
}

function kept(file: string): ServerName[] {
  try {
    const list = JSON.parse(readFileSync(file, "utf8")) as unknown;
    if (!Array.isArray(list)) return [];
    return list.filter(
      (each): each is ServerName =>
        typeof each?.url === "string" && ["undefined", "string"].includes(typeof each.passwordFile),
    );
  } catch {
    return [];
  }
}

/** On this machine; of another one that cannot be reached nothing is known. */
const isGone = ({ url }: ServerName, error: unknown): boolean =>
  /^(127\.|localhost$|\[::1\]$)/.test(URL.parse(url)?.hostname ?? "") &&
  /refused|Unable to connect/i.test(messageOf(error));

const ignore = () => undefined;
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
