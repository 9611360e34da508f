import { NO_TRUST } from "../../src/hub-link/trust.ts";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startHub } from "../../src/hub/hub.ts";
import { digestOf } from "../../src/hub/digest.ts";
import { openLink } from "../../src/hub-link/link.ts";
import { FromHub, FromMachine, HUB_PATHS, LINK_ENDS } from "../../src/protocol/hub/hub.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
import { openMemory } from "../../src/store/memory.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { poll } from "../../src/lab/poll.ts";
import { fromSchema } from "./from-schema.ts";
import { mutated } from "./fuzz.ts";

type Side = "machine" | "hub";
export type Fuzzed = { seed: number; frames?: number; forMs?: number };
/** Frames that once did harm, or could: each is played before the generated ones. */
const CORPUS = JSON.parse(readFileSync(join(import.meta.dir, "hub-frames.json"), "utf8")) as Record<Side, unknown[]>;

/** Also of what JSON has no word for. */
const asText = (value: unknown): string => JSON.stringify(value) ?? "undefined";

/** What a machine, and what a hub may say: as the schema has it, with odd parts, or nothing of the kind. */
const FRAMES: Record<Side, fc.Arbitrary<string>> = {
  machine: textOf(FromMachine, CORPUS.machine),
  hub: textOf(FromHub, CORPUS.hub),
};

function textOf(schema: typeof FromMachine | typeof FromHub, kept: readonly unknown[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: mutated(kept).map(asText) },
    { weight: 3, arbitrary: fromSchema(schema).map(asText) },
    fc.string({ unit: "binary", maxLength: 300 }),
  );
}

/**
 * Says frames to a real link of each side, as many or as long as is said. Contract: throws where one is answered otherwise
 * than by being taken or by the end of that one line, or where the next line is not welcome. Says how many there were.
 */
export async function playFrames({ seed, frames = Infinity, forMs = Infinity }: Fuzzed): Promise<number> {
  const from = performance.now();
  let count = 0;
  for (const [side, open] of [
    ["machine", openHub],
    ["hub", openMachine],
  ] as const) {
    await using listener = await open();
    const until = from + (side === "machine" ? forMs / 2 : forMs);
    for (const text of each(side, seed, frames / 2)) {
      if (performance.now() > until) break;
      await listener.hear(text);
      count++;
    }
    await listener.isWell();
  }
  return count;
}

function* each(side: Side, seed: number, most: number): Generator<string> {
  for (const one of CORPUS[side]) yield asText(one);
  for (let n = CORPUS[side].length, at = seed; n < most; at++)
    for (const text of fc.sample(FRAMES[side], { seed: at, numRuns: Math.min(100, most - n) })) {
      n++;
      yield text;
    }
}

/** A hub with one machine that says all of it. */
async function openHub() {
  const records = createHubRecords(openHubSqlite(":memory:"));
  const now = () => Date.now();
  const troubles: string[] = [];
  const log = (level: string, message: string, more?: object) =>
    level === "info" || message === "a machine misbehaves"
      ? undefined
      : void troubles.push(`${message} ${JSON.stringify(more)}`);
  const hub = startHub({
    records,
    listen: { host: "127.0.0.1", port: 0 },
    version: "0",
    now,
    log,
    files: async () => new Map(),
    claimMs: 1,
  });
  await records.addCode("code", now() + 1e9, now());
  const machine = { id: "mmmmmmmmmmmm", name: "machine", token: digestOf("token"), projects: [] };
  await records.join("code", machine, now());
  let line: Awaited<ReturnType<typeof dial>> | undefined;

  async function dial() {
    const headers = { authorization: "Bearer token" };
    const socket = new WebSocket(`${hub.url.replace("http", "ws")}${HUB_PATHS.link}`, { headers });
    const heard: string[] = [];
    const state = { socket, heard, ended: undefined as number | undefined, news: Promise.withResolvers<void>() };
    socket.addEventListener("message", ({ data }) => (heard.push(String(data)), state.news.resolve()));
    socket.addEventListener("close", ({ code }) => ((state.ended = code), state.news.resolve()));
    await state.news.promise;
    if (heard.length === 0) throw new Error(`the machine is not welcome any more (${state.ended})`);
    return state;
  }

  async function hear(text: string): Promise<void> {
    line = line && line.ended === undefined ? line : await dial();
    line.heard.length = 0;
    line.socket.send(text);
    // Answered after what was said before it.
    line.socket.send('{"type":"beat"}');
    const isBeat = (each: string) => (JSON.parse(each) as { type: string }).type === "beat";
    while (line.ended === undefined && !line.heard.some(isBeat)) {
      await line.news.promise;
      line.news = Promise.withResolvers();
      if (line.heard.length > 0 && !line.heard.some(isBeat)) continue;
    }
    for (const each of line.heard) FromHub.parse(JSON.parse(each));
    // What is refused is refused for its form: nothing a machine says is more than the hub can do.
    if (line.ended !== undefined && line.ended !== LINK_ENDS.wrong)
      throw new Error(`ended with ${line.ended} (${troubles.join("; ")}): ${text.slice(0, 500)}`);
  }

  return {
    hear,
    async isWell(): Promise<void> {
      await hear('{"type":"beat"}');
      await records.asks({ open: false, projects: null, limit: 500 });
      if (troubles.length > 0) throw new Error(troubles.join("; "));
    },
    async [Symbol.asyncDispose]() {
      line?.socket.close();
      await hub.stop();
    },
  };
}

/** Of frames that are refused for their form so many are only read: each costs the line, and a pause until the next. */
const READ_ONLY = 40;
const INTENT = asText({
  type: "intent",
  n: 1,
  ask: "x",
  member: { id: "m", name: "M" },
  at: 1,
  settlement: { action: "cancel" },
});

/** A machine whose hub says all of it. */
async function openMachine() {
  let current: Bun.ServerWebSocket | undefined;
  let [settled, refused] = [0, 0];
  const heard: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) =>
      self.upgrade(request, { data: undefined }) ? undefined : new Response("no", { status: 400 }),
    websocket: {
      open(socket) {
        current = socket;
        socket.send('{"type":"welcome","after":0}');
      },
      message: (_, text) => void heard.push(String(text)),
      close(socket) {
        if (current === socket) current = undefined;
      },
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const link = openLink({
    joined: { url, machine: { id: "mmmmmmmmmmmm", name: "machine" }, token: "token", projects: [], joinedAt: 0 },
    giveTask: async () => void settled++,
    store: openMemory(),
    inbox: { once: async () => void settled++ } as never,
    view: (ask) => ask as never,
    log: () => undefined,
    onState: () => undefined,
    trust: { now: () => NO_TRUST, told: async () => undefined },
  });
  const dialled = () => poll(() => current, { everyMs: 5, failure: () => "the machine does not dial any more" });

  async function hear(text: string): Promise<void> {
    if (!FromHub.safeParse(readJson(text)).success && refused++ % READ_ONLY !== 0) return;
    const socket = await dialled();
    heard.length = 0;
    socket.send(text);
    // Something it always answers: then the frame before was read, or the line ended over it.
    socket.send(INTENT);
    const isRead = () => (current !== socket || heard.some((each) => each.includes('"receipt"')) ? true : undefined);
    await poll(isRead, { everyMs: 1, failure: () => `no answer after ${text.slice(0, 500)}` });
    for (const each of heard) FromMachine.parse(JSON.parse(each));
  }

  return {
    hear,
    async isWell(): Promise<void> {
      await hear(INTENT);
      if (settled > 0) throw new Error("something was settled that this machine does not have");
    },
    async [Symbol.asyncDispose]() {
      link.stop();
      await server.stop(true);
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
