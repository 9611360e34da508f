import { existsSync } from "node:fs";
import { agentNamed } from "../../agents/agents.ts";
import type { Agent } from "../../agents/agent.ts";
import type { Log } from "../../machine/log.ts";
import { readSetUpPlaces } from "../../machine/settings/set-up-places.ts";
import type { Remote } from "./remote.ts";
import { untilWritten } from "./until-written.ts";

type Deps = { remote: Remote; home: string; log: Log };
type Socket = NonNullable<NonNullable<Agent["remote"]>["socket"]>;
type Place = { agent: Agent; socket: Socket; path: string };
/** `isGone`: whoever listened there has been told of. */
type Watched = { isBusy: boolean; isGone: boolean; close?: () => void };
type Item = { event: unknown; call?: unknown };

const LOOK_MS = 1000;
/** What is open comes at once; a thread that says nothing keeps nobody from the others. */
const CATCH_UP_MS = 5000;

/** Agents that listen on a socket of their own, wherever they were set up: Parley is a client there while they run. */
export function createSocketWatch({ remote, home, log }: Deps) {
  const watched = new Map<string, Watched>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const places = placesIn(home);
    for (const place of places) void stay(place).catch((error: unknown) => failed(place, error));
    for (const [path, { close }] of watched) if (!places.some((place) => place.path === path)) close?.();
  }

  const failed = ({ agent, path }: Place, error: unknown) =>
    log("debug", "an agent's socket", { agent: agent.name, path, error: String(error) });

  /** Returns when the connection is over. */
  async function stay(place: Place): Promise<void> {
    const { path } = place;
    const state = watched.get(path) ?? { isBusy: false, isGone: false };
    watched.set(path, state);
    if (state.isBusy) return;
    state.isBusy = true;
    try {
      const wasOpened = existsSync(path) && (await connect(place, state));
      // Nobody listens: what was asked there was only in its memory.
      if (!wasOpened && !state.isGone) await remote.serverGone(nameOf(path));
      state.isGone = !wasOpened;
    } finally {
      state.isBusy = false;
    }
  }

  /** False: nobody is there. */
  async function connect({ agent, socket, path }: Place, state: Watched): Promise<boolean> {
    const over = Promise.withResolvers<void>();
    const line = new WebSocket(`ws+unix://${path}:/`);
    const talk = socket.converse();
    let [wasOpened, version] = [false, ""];
    let link: { id: string } | undefined;
    const linked = Promise.withResolvers<string>();
    let before: Item[] = [];
    let turn = Promise.resolve();
    const tell = (messages: readonly unknown[]) => {
      for (const message of messages) line.send(JSON.stringify(message));
    };

    async function begin(): Promise<void> {
      if (link || line.readyState !== WebSocket.OPEN) return;
      const hello = { agent: agent.name, version, server: nameOf(path), facts: {} };
      link = await remote.open(hello, ({ id, ...request }) => {
        if (line.readyState !== WebSocket.OPEN) return false;
        const messages = request.method === "GET" ? [] : talk.say(request);
        tell(messages ?? []);
        const body = request.method === "GET" ? before : null;
        // That it was said is all there is to know: a reply that comes too late is dropped without a word.
        const status = request.method === "GET" ? 200 : messages ? 202 : 404;
        void linked.promise.then((name) => remote.replies(name, { replies: [{ id, status, body }] })).catch(ignore);
        return true;
      });
      linked.resolve(link.id);
    }

    async function take(message: unknown): Promise<void> {
      const heard = talk.heard(message);
      version = heard.version ?? version;
      tell(heard.say);
      for (const event of heard.events) {
        const item = { event, call: await socket.callOf(event) };
        const { id } = link ?? {};
        if (id !== undefined)
          await untilWritten(() => remote.events(id, { events: [item] }), { isOver, failed: notTaken });
        else before = [...before, item];
      }
      if (heard.isCaughtUp) await begin();
    }

    // The next connection is told again what is open.
    const isOver = () => line.readyState !== WebSocket.OPEN;
    const notTaken = (error: unknown) =>
      log("warn", "what an agent said could not be taken", { agent: agent.name, error: String(error) });
    const next = (step: () => Promise<void>) => void (turn = turn.then(step).catch(notTaken));
    const late = setTimeout(() => next(begin), CATCH_UP_MS);
    line.addEventListener("open", () => {
      wasOpened = true;
      tell(talk.begin());
    });
    line.addEventListener("message", ({ data }) => next(() => take(parsed(String(data)))));
    line.addEventListener("close", () => over.resolve());
    line.addEventListener("error", () => over.resolve());
    state.close = () => line.close();
    await over.promise;
    clearTimeout(late);
    await turn;
    delete state.close;
    if (link) await remote.close(link.id);
    return wasOpened;
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
function placesIn(home: string): Place[] {
  return readSetUpPlaces(home).flatMap(({ agent: name, path }) => {
    const agent = agentNamed(name);
    const socket = agent?.remote?.socket;
    return agent && socket && existsSync(path) ? [{ agent, socket, path: socket.pathFor(path) }] : [];
  });
}

/** The connection was closed meanwhile: nobody waits for it. */
const ignore = () => undefined;
const nameOf = (path: string): string => `unix:${path}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
