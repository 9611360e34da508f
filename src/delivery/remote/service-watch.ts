import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { agentNamed } from "../../agents/agents.ts";
import type { RemoteReply, RemoteRequest } from "../../agents/capability/remote.ts";
import type { AgentService, Registration } from "../../agents/capability/service.ts";
import { eventsIn } from "../../core/text/event-stream.ts";
import type { Log } from "../../machine/log.ts";
import { isAlive, nameProcess, type ProcessName } from "../../machine/process/process.ts";
import { readSetUpPlaces } from "../../machine/settings/set-up-places.ts";
import type { Remote } from "./remote.ts";

type Deps = { remote: Remote; home: string; env: Record<string, string | undefined>; log: Log };
type Found = { agent: Agent; service: AgentService; file: string; records: string; at: Registration };
/** `process`: who was connected last. `isGone`: what it had open has been given up. */
type Watched = { isBusy: boolean; isGone: boolean; url?: string; process?: ProcessName; close?: () => void };

const LOOK_MS = 1000;
const PATIENCE_MS = 10_000;
const LONGEST = 64 * 1024;

/** Services of agents that write down where they listen, wherever those were set up: Parley is a client while they run. */
export function createServiceWatch({ remote, home, env, log }: Deps) {
  const watched = new Map<string, Watched>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const found = servicesIn(home, env);
    for (const each of found) void stay(each).catch((error: unknown) => failed(each, error));
    for (const [file, state] of watched) {
      if (!found.some((each) => each.file === file)) state.close?.();
      void givenUp(state).catch((error: unknown) => log("warn", "an agent's service", { file, error: String(error) }));
    }
  }

  const failed = ({ agent, file }: Found, error: unknown) =>
    log("debug", "an agent's service", { agent: agent.name, file, error: String(error) });

  /** What it was asked was only in the memory of its process. */
  async function givenUp(state: Watched): Promise<void> {
    if (state.isBusy || state.isGone || !state.process || isAlive(state.process)) return;
    state.isGone = true;
    if (state.url !== undefined) await remote.serverGone(state.url);
  }

  /** Returns when the connection is over. */
  async function stay(found: Found): Promise<void> {
    const state = watched.get(found.file) ?? { isBusy: false, isGone: true };
    watched.set(found.file, state);
    if (state.isBusy) return;
    state.isBusy = true;
    try {
      await connect(found, state);
    } finally {
      delete state.close;
      state.isBusy = false;
    }
  }

  async function connect(found: Found, state: Watched): Promise<void> {
    const { agent, service, at, records } = found;
    const over = new AbortController();
    state.close = () => over.abort();
    const get = (path: string) => send(found, { method: "GET", path }, over.signal);
    const health = await get(service.health.path);
    if (health.status !== 200 || !service.health.isIt(health.body, at))
      throw new Error(`it is not there (${health.status})`);
    const response = await fetch(`${at.url}${service.events}`, { headers: headersFor(found), signal: over.signal });
    if (!response.ok || !response.body) throw new Error(`its events cannot be read (${response.status})`);
    // Another one than before: what that had open went with it.
    if (state.process && !state.isGone && !isAlive(state.process)) await remote.serverGone(state.url ?? at.url);
    Object.assign(state, { url: at.url, process: nameProcess(at.pid), isGone: false });
    const hello = { agent: agent.name, version: at.version, pid: at.pid, server: at.url, record: records, facts: {} };
    const carry = async (request: RemoteRequest): Promise<RemoteReply> => {
      if (request.method === "GET") return { status: 200, body: await service.open(get) };
      const reply = await send(found, request, over.signal);
      if (request.followUp && reply.status >= 200 && reply.status < 300)
        await send(found, request.followUp, over.signal);
      return reply;
    };
    const link = await remote.open(
      hello,
      ({ id, ...request }) => {
        void carry(request)
          .catch((error: unknown): RemoteReply => ({ status: 0, body: String(error) }))
          .then((reply) => remote.replies(link.id, { replies: [{ id, ...reply }] }))
          .catch(ignore);
        return true;
      },
      { spoken: service.remote },
    );
    try {
      const heard = service.listen();
      for await (const event of eventsIn(response.body)) await remote.events(link.id, { events: [heard(event)] });
    } finally {
      await remote.close(link.id);
    }
  }

  return {
    start(): void {
      timer = setInterval(look, LOOK_MS);
      look();
    },
    stop(): void {
      clearInterval(timer);
      for (const { close } of watched.values()) close?.();
    },
  };
}

/** A file that was taken out again is no set-up any more. */
function servicesIn(home: string, env: Deps["env"]): Found[] {
  const found = readSetUpPlaces(home).flatMap(({ agent: name, path }) => {
    const agent = agentNamed(name);
    const service = agent?.service;
    if (!agent || !service || !existsSync(path)) return [];
    return service.places(path, env).flatMap(({ folder, records }) =>
      namesIn(folder).flatMap((file): Found[] => {
        const text = ownText(join(folder, file));
        const at =
          text === undefined ? undefined : service.registered(file, text, (other) => ownText(join(folder, other)));
        return at ? [{ agent, service, file: join(folder, file), records, at }] : [];
      }),
    );
  });
  return found.filter(({ at }, i) => found.findIndex((other) => other.at.url === at.url) === i);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/** Only of a file that nobody else has written: it says where a password goes. */
function ownText(file: string): string | undefined {
  try {
    const { uid, size, mode } = statSync(file);
    const isOwn = uid === process.getuid?.() && (mode & 0o022) === 0;
    return isOwn && size <= LONGEST ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

async function send(found: Found, { method, path, body }: RemoteRequest, over: AbortSignal): Promise<RemoteReply> {
  try {
    const headers = { ...headersFor(found), ...(body !== undefined && { "content-type": "application/json" }) };
    const signal = AbortSignal.any([over, AbortSignal.timeout(PATIENCE_MS)]);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${found.at.url}${path}`, { method, headers, signal, redirect: "error", ...sent });
    const text = await response.text();
    return { status: response.status, body: parsed(text) };
  } catch (error) {
    return { status: 0, body: error instanceof Error ? error.message : String(error) };
  }
}

function headersFor({ service, at }: Found): Record<string, string> {
  if (at.password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${service.user}:${at.password}`).toString("base64")}` };
}

function parsed(text: string): unknown {
  try {
    return text === "" ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

/** The connection was closed meanwhile: nobody waits for it. */
const ignore = () => undefined;
