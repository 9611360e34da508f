import { STREAMS } from "../src/protocol/address.ts";
import { type Address, type Line, openLinePatiently, openStream } from "./line.ts";
import { startPeer } from "./peer.ts";
import { ms, p50p99, type Part, percentile, perSecond, type Row } from "./row.ts";
import { openStage } from "./stage.ts";

const SUBSCRIBERS = 1000;
const EVENTS = 40;
/** How an event ends in a stream of them. */
const END = Buffer.from("\n\n");

export const fanout: Part = {
  name: "fanout",
  about: `events to ${SUBSCRIBERS} subscribers`,
  notes: [
    `Fan-out: ${SUBSCRIBERS.toLocaleString("en")} open streams of server-sent events on the socket; ${EVENTS} asks are made one after the other, each when all have heard of the one before. From the request to the event at each subscriber, and at the last of them. The peer stores a row and writes the same bytes to as many streams; half of the time is the load generator's, which reads them all in one process.`,
  ],
  async run(say) {
    say("Parley");
    const ours = await parley();
    say("the peer");
    const bare = await peer(ours.bytes);
    const row = (what: string, mine: string, theirs: string): Row => ({
      what,
      measured: mine,
      beside: `bare Bun.serve: ${theirs}`,
    });
    const rate = (last: number[]) => perSecond((SUBSCRIBERS * 1000) / percentile(last, 0.5));
    const who = `${SUBSCRIBERS.toLocaleString("en")} subscribers`;
    return [
      row(`an event to each of ${who} (p50 / p99)`, p50p99(ours.each), p50p99(bare.each)),
      row(
        `the same, until the last has it (p50)`,
        `${ms(percentile(ours.last, 0.5))}, ${rate(ours.last)}`,
        `${ms(percentile(bare.last, 0.5))}, ${rate(bare.last)}`,
      ),
    ];
  },
};

type Times = { each: number[]; last: number[]; bytes: number };

async function parley(): Promise<Times> {
  const stage = await openStage();
  try {
    await stage.start();
    const { agent, human } = stage.tokens();
    const options = ["A", "B"].map((label) => ({ label, description: "What it means" }));
    const body = JSON.stringify({ questions: [{ question: "Which?", header: "Which", multiSelect: false, options }] });
    return await heardBy(stage.address, STREAMS.sse, human, (line) => line.send("POST", "/api/asks", agent, body));
  } finally {
    await stage.dispose();
  }
}

async function peer(bytes: number): Promise<Times> {
  const server = await startPeer();
  try {
    const body = `${"x".repeat(Math.max(0, bytes - END.length))}\n\n`;
    return await heardBy(server.address, "/events", "", (line) => line.send("POST", "/say", "", body));
  } finally {
    await server.stop();
  }
}

async function heardBy(
  address: Address,
  path: string,
  token: string,
  happen: (line: Line) => Promise<unknown>,
): Promise<Times> {
  const times: Times = { each: [], last: [], bytes: 0 };
  let [since, left] = [0, 0];
  let allHeard: (() => void) | undefined;
  const streams = [];
  for (let i = 0; i < SUBSCRIBERS; i++)
    streams.push(
      await openStream(address, path, token, (piece) => {
        if (since === 0 || !piece.includes(END)) return;
        times.each.push(performance.now() - since);
        times.bytes = piece.length;
        if (--left === 0) allHeard?.();
      }),
    );
  const line = await openLinePatiently(address);
  for (let event = 0; event < EVENTS; event++) {
    const heard = new Promise<void>((resolve) => (allHeard = resolve));
    [since, left] = [performance.now(), SUBSCRIBERS];
    const answered = happen(line);
    await heard;
    times.last.push(performance.now() - since);
    await answered;
    since = 0;
  }
  line.close();
  for (const stream of streams) stream.close();
  return times;
}
