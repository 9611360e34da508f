import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import * as fc from "fast-check";
import { STREAMS } from "../../src/protocol/contract.ts";
import { DOORS, open, question } from "../e2e/api-request.ts";
import { ALL, expectSafe, TEXTS } from "./corpus.ts";
import { PATIENCE_MS, runs } from "./fuzz.ts";
import { createTarget, type Target } from "./target.ts";

let target: Target;
beforeAll(async () => {
  target = await createTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const authorization = () => `Bearer ${target.program.tokens().human}`;

/** A frame as the protocol has it, masked with zeros; the length may be a lie. */
function frame(opcode: number, data: Uint8Array, { fin = true, length = data.length, rsv = 0 } = {}): Buffer {
  const head = Buffer.alloc(14);
  head[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, data]);
}

/** Sends bytes on an opened WebSocket; resolves when the daemon has ended the line. */
async function shout(...frames: Uint8Array[]): Promise<string> {
  const { host, port } = new URL(target.program.url());
  const line = connect(Number(port), "127.0.0.1");
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let heard = "";
  let sent = false;
  line.on("data", (data) => {
    heard += data.toString("latin1");
    if (sent || !heard.includes("\r\n\r\n")) return;
    sent = true;
    for (const bytes of frames) line.write(bytes);
  });
  line.on("error", () => undefined);
  line.on("close", () => resolve());
  const key = randomBytes(16).toString("base64");
  line.write(
    `GET ${STREAMS.websocket} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization()}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await ended;
  return heard;
}

test(
  "[HO17] whoever speaks on the socket that only speaks is cut off: text, binary, giant, junk, in pieces",
  async () => {
    const kib = (count: number) => Buffer.alloc(count * 1024, 120);
    const lies = [
      [frame(1, Buffer.from("hello"))],
      [frame(2, randomBytes(100))],
      [frame(1, Buffer.from([0xff, 0xfe, 0xc0]))],
      [frame(1, kib(60))],
      [frame(2, kib(1024))],
      [frame(2, kib(1), { length: 2 ** 40 })],
      [frame(1, kib(1), { fin: false }), frame(0, kib(1), { fin: false }), frame(0, kib(1))],
      [frame(0, kib(1))],
      [frame(3, kib(1)), frame(11, kib(1))],
      [frame(1, kib(1), { rsv: 7 })],
      [frame(8, Buffer.from([0]))],
      [frame(8, Buffer.concat([Buffer.from([3, 0xe8]), kib(1)]))],
      [randomBytes(5000)],
    ];
    for (const frames of lies) expect(await shout(...frames)).toStartWith("HTTP/1.1 101");
    await target.stands();
  },
  PATIENCE_MS,
);

test(
  "[HO18] pieces of a message without end do not fill the memory",
  async () => {
    const piece = frame(0, Buffer.alloc(60 * 1024, 120), { fin: false });
    const pieces = [frame(1, Buffer.alloc(1024, 120), { fin: false }), ...Array.from({ length: 200 }, () => piece)];
    await shout(...pieces);
    await target.stands();
  },
  PATIENCE_MS,
);

test(
  "[HO19] where a stream is taken up again is a sequence number or refused",
  async () => {
    const odd = fc.oneof(
      fc.constantFrom(...TEXTS, "-1", "1e99", "0x10", "NaN", " 7 "),
      fc.double().map(String),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...DOORS), fc.boolean(), odd, async (via, inHeader, after) => {
        const ending = new AbortController();
        const value = after.replaceAll(/[^\x20-\x7e]/g, "");
        const path = inHeader ? STREAMS.sse : `${STREAMS.sse}?after=${encodeURIComponent(after.toWellFormed())}`;
        const headers = { authorization: authorization(), ...(inHeader && { "last-event-id": value }) };
        const reply = await open(target.program, via, `GET ${path}`, { headers, signal: ending.signal });
        expect([200, 400]).toContain(reply.status);
        ending.abort();
      }),
      runs(60),
    );
    await target.stands();
  },
  PATIENCE_MS,
);

test.each(DOORS)("[HO20] hostile words are told live without a character that acts (%s)", async (via) => {
  const hostile = { ...question(), question: `${ALL}?`, note: ALL };
  const made = await target.program.client("agent").call("createAsk", { body: { questions: [hostile] } });
  const ending = new AbortController();
  const headers = { authorization: authorization() };
  const stream = await open(target.program, via, `GET ${STREAMS.sse}`, { headers, signal: ending.signal });
  let heard = "";
  for await (const chunk of stream.body ?? []) {
    heard += Buffer.from(chunk).toString("utf8");
    if (heard.includes(made.id) && heard.endsWith("\n\n")) break;
  }
  ending.abort();
  expectSafe(heard, "sse");
  const data = heard.split("\n").filter((line) => line.startsWith("data: "));
  const asked = data.map((line) => JSON.parse(line.slice(6)) as { ask?: string; data: { questions?: object[] } });
  const event = asked.find(({ ask, data: { questions } }) => ask === made.id && questions);
  expect(event?.data.questions?.[0]).toMatchObject({ text: `${ALL}?`, note: ALL });
});
