import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import { LogEvent } from "../../src/core/ask/event.ts";
import { STREAMS } from "../../src/protocol/contract.ts";
import { DOORS, open, question, type Via } from "./api-request.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { TEST_MS } from "../patience.ts";

setDefaultTimeout(TEST_MS);

type Kind = keyof typeof STREAMS;
type Reader = { seqs: number[]; events: LogEvent[]; comments: string[]; ended: Promise<string>; leave(): void };
const KINDS = Object.keys(STREAMS) as Kind[];
const EVERY = KINDS.flatMap((kind) => DOORS.map((via) => [kind, via] as const));

let program: Program;
let agent: Client;
let human: Client;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  [agent, human] = [program.client("agent"), program.client("human")];
  await write(30);
});
afterAll(() => program.dispose());

test.each(EVERY)("[P41] %s over the %s gives the whole log, then what happens", async (kind, via) => {
  const reader = await read(kind, via, {});
  await expectAll(reader, 0);
  await write(3);
  await expectAll(reader, 0);
  const { events } = await human.call("readLog", { query: { limit: 1000 } });
  expect(reader.events).toEqual(events);
  reader.leave();
});

test.each(EVERY)(
  "[P42] %s over the %s begins after any event, missing and doubling none while others write",
  async (kind, via) => {
    const writing = write(150);
    const starts = [0, 1, 7, 29, 30, 31];
    const readers = await Promise.all(
      starts.map(async (after) => ({ after, reader: await read(kind, via, { after }) })),
    );
    await writing;
    for (const { after, reader } of readers) {
      await expectAll(reader, after);
      reader.leave();
    }
  },
);

test("[P43] a reader that comes back with Last-Event-ID goes on where it was", async () => {
  const first = await read("sse", "port", {});
  await holds(() => first.seqs.length >= 10);
  first.leave();
  const last = first.seqs.at(-1) ?? 0;
  const writing = write(50);
  const second = await read("sse", "port", { after: 0, headers: { "last-event-id": String(last) } });
  await writing;
  await expectAll(second, last);
  second.leave();
});

test("[P44] the typed client's events go on over a restart of the daemon", async () => {
  const ending = new AbortController();
  const seqs: number[] = [];
  const reading = (async () => {
    for await (const { seq } of human.events(0, ending.signal)) seqs.push(seq);
  })();
  await holds(async () => seqs.at(-1) === (await lastSeq()));
  await program.kill9();
  await write(5);
  await expectAll({ seqs }, 0);
  ending.abort();
  await reading;
});

test.each(KINDS)(
  "[P45] a reader that is stuck (%s) holds up nobody and misses nothing",
  async (kind) => {
    const after = await lastSeq();
    const stuck = Bun.spawn(
      [process.execPath, join(import.meta.dir, "api-subscriber.ts"), kind, program.url(), `${after}`],
      {
        env: { TOKEN: program.tokens().human },
        stdout: "pipe",
      },
    );
    const lines = stuck.stdout.pipeThrough(new TextDecoderStream()).getReader();
    await write(1);
    let out = (await lines.read()).value ?? "";
    stuck.kill("SIGSTOP");
    const other = await read(kind, "socket", { after });
    // Far more than the sockets between the two can hold.
    await write(60, "x".repeat(400_000));
    await expectAll(other, after);
    other.leave();
    stuck.kill("SIGCONT");
    const seqs = () => out.split("\n").slice(0, -1).map(Number);
    const last = await lastSeq();
    while (seqs().at(-1) !== last) out += (await lines.read()).value ?? fail("it ended");
    expect(seqs()).toEqual(await seqsAfter(after));
    stuck.kill("SIGKILL");
    await stuck.exited;
  },
  TEST_MS,
);

test("[P46] a subscriber that speaks is shown the door, for everything else is done over HTTP", async () => {
  const socket = new WebSocket(`${program.url().replace("http", "ws")}${STREAMS.websocket}`, {
    headers: { authorization: `Bearer ${program.tokens().human}` },
  });
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
  socket.addEventListener("open", () => socket.send("hello"));
  expect(await closed).toMatchObject({ code: 1003, reason: "this socket only speaks" });
});

test("[P47] readers are told that the daemon ends, and do not hold it up", async () => {
  const after = await lastSeq();
  const readers = await Promise.all(EVERY.map(([kind, via]) => read(kind, via, { after })));
  await program.terminate();
  const words = "the daemon ends; come back with after=<last seq>";
  expect(await Promise.all(readers.map(({ ended }) => ended))).toEqual(
    EVERY.map(([kind]) => (kind === "sse" ? "end of stream" : words)),
  );
  await program.start();
});

test("[P48] a connection on which nothing happens stays open, and something is heard on it", async () => {
  const idle = await read("sse", "port", { after: await lastSeq() });
  expect(await holds(() => idle.comments.includes(": beat"))).toBe(true);
  await write(1);
  expect(await holds(() => idle.seqs.length === 1)).toBe(true);
  idle.leave();
});

test("[P49] a reader that has seen more than there is gets what comes next", async () => {
  const reader = await read("sse", "port", { after: 1e9 });
  await holds(async () => (await write(1), reader.seqs.length > 0));
  await expectAll(reader, (reader.seqs[0] ?? 0) - 1);
  reader.leave();
});

async function write(count: number, description = "one file"): Promise<void> {
  const options = [
    { label: "SQLite", description },
    { label: "PostgreSQL", description: "a server" },
  ];
  const body = { questions: [question("Store", { options })] };
  for (let left = count; left > 0; left -= 10)
    await Promise.all(Array.from({ length: Math.min(left, 10) }, () => agent.call("createAsk", { body })));
}

async function lastSeq(): Promise<number> {
  return (await human.call("readLog", { query: { tail: "true", limit: 1 } })).events[0]?.seq ?? 0;
}

async function seqsAfter(after: number): Promise<number[]> {
  const { events } = await human.call("readLog", { query: { after, limit: 1000 } });
  const seqs = events.map(({ seq }) => seq);
  const last = seqs.at(-1);
  // Large events come in smaller pages.
  return last === undefined ? [] : [...seqs, ...(await seqsAfter(last))];
}

async function expectAll({ seqs }: Pick<Reader, "seqs">, after: number): Promise<void> {
  const last = await lastSeq();
  await holds(() => seqs.at(-1) === last);
  expect(seqs).toEqual(await seqsAfter(after));
}

type From = { after?: number; headers?: Record<string, string> };
function read(kind: Kind, via: Via, from: From): Promise<Reader> {
  return kind === "sse" ? readSse(via, from) : readSocket(via, from);
}

function emptyReader(leave: () => void): Reader {
  return { seqs: [], events: [], comments: [], ended: Promise.resolve(""), leave };
}

function take(reader: Reader, json: string): void {
  const event = LogEvent.parse(JSON.parse(json));
  reader.seqs.push(event.seq);
  reader.events.push(event);
}

async function readSse(via: Via, { after, headers = {} }: From): Promise<Reader> {
  const leaving = new AbortController();
  const reader = emptyReader(() => leaving.abort());
  const line = `GET ${STREAMS.sse}${after === undefined ? "" : `?after=${after}`}`;
  const response = await open(program, via, line, { token: program.tokens().human, headers, signal: leaving.signal });
  reader.ended = (async () => {
    let rest = "";
    for await (const chunk of response.body ?? []) {
      const messages = (rest + Buffer.from(chunk).toString("utf8")).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) {
        const [id, type, data] = message.split("\n");
        if (!data) reader.comments.push(message);
        else take(reader, data.slice("data: ".length));
        if (data) expect([id, type]).toEqual([`id: ${reader.seqs.at(-1)}`, `event: ${reader.events.at(-1)?.type}`]);
      }
    }
    return "end of stream";
  })().catch(String);
  return reader;
}

async function readSocket(via: Via, { after }: From): Promise<Reader> {
  const path = `${STREAMS.websocket}${after === undefined ? "" : `?after=${after}`}`;
  const base = via === "socket" ? `ws+unix://${program.paths.socket}:` : program.url().replace("http", "ws");
  const socket = new WebSocket(`${base}${path}`, { headers: { authorization: `Bearer ${program.tokens().human}` } });
  const reader = emptyReader(() => socket.close());
  socket.addEventListener("message", ({ data }) => take(reader, String(data)));
  reader.ended = new Promise((resolve) => socket.addEventListener("close", ({ reason }) => resolve(reason)));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return reader;
}

function fail(message: string): never {
  throw new Error(message);
}
