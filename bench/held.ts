import { ANSWER, createAsker } from "./asker.ts";
import { type Address, type Line, openLinePatiently } from "./line.ts";
import { startPeer } from "./peer.ts";
import { atMost, median, ms, type Part } from "./row.ts";
import { cpuMs, openStage, residentKb, type Stage } from "./stage.ts";

const HELD = 10_000;
const AT_ONCE = 50;
const LIMIT_KB = 12;
const LIMIT_BUSY = 1;
/** The daemon sweeps every five seconds: two such sweeps. What was just asked is looked at for a while; the last span counts. */
const QUIET_MS = 11_000;
const SPANS = 3;

export const held: Part = {
  name: "held",
  about: `${HELD} questions held open`,
  notes: [
    `Held: ${HELD.toLocaleString("en")} agents, each with its session, its transcript and a hook that waits on the line. Memory: growth of the daemon's resident memory over a daemon that has held one, divided by their number, after half a minute of rest; processor time: of its last ten seconds. The peer is a Bun.serve that reads the same request and never answers.`,
  ],
  async run(say) {
    const stage = await openStage();
    try {
      await stage.start();
      const { agent, human } = stage.tokens();
      const call = (i: number) => {
        const asker = createAsker(stage.root, `agent${i}`);
        asker.ask();
        return asker.hold();
      };
      const lines = [await holdOne(stage.address, "/hook/call", agent, call(0))];
      await Bun.sleep(1000);
      const before = residentKb(stage.pid());
      lines.push(...(await holdMany(stage.address, "/hook/call", agent, call, say)));
      await until(async () => (await openOn(stage)) >= HELD);
      say("at rest");
      let busy = 0;
      for (let span = 0; span < SPANS; span++) {
        const busyFrom = cpuMs(stage.pid());
        await Bun.sleep(QUIET_MS);
        busy = (100 * (cpuMs(stage.pid()) - busyFrom)) / QUIET_MS;
      }
      const each = (residentKb(stage.pid()) - before) / HELD;
      const person = await stage.open();
      say("listing and answering");
      const list = await times(40, () => person.send("GET", "/api/asks", human));
      const { body } = await person.send("GET", "/api/asks?limit=500", human);
      const { asks } = JSON.parse(body) as { asks: { id: string }[] };
      const settle = await times(200, (i) => person.send("POST", `/api/asks/${asks[i]?.id}/settle`, human, ANSWER));
      for (const line of [...lines, person]) line.close();
      say("the peer");
      const peer = await peerKb(call, say);
      return [
        {
          what: `a held question, of ${HELD.toLocaleString("en")}: memory of the daemon`,
          measured: `${each.toFixed(1)} KB`,
          beside: `bare Bun.serve: ${peer.toFixed(1)} KB`,
          aim: `≤ ${LIMIT_KB} KB`,
          ...atMost(each, LIMIT_KB),
        },
        {
          what: "the same: processor time of the daemon at rest",
          measured: `${busy.toFixed(1)} % of a core`,
          aim: `≤ ${LIMIT_BUSY} %`,
          ...atMost(busy, LIMIT_BUSY),
        },
        { what: "the same: list of 100, settle (p50)", measured: `${ms(median(list))}, ${ms(median(settle))}` },
      ];
    } finally {
      await stage.dispose();
    }
  },
};

async function holdOne(address: Address, path: string, token: string, body: string): Promise<Line> {
  const line = await openLinePatiently(address);
  // It ends with the line.
  line.send("POST", path, token, body).catch(() => undefined);
  return line;
}

async function holdMany(
  address: Address,
  path: string,
  token: string,
  body: (i: number) => string,
  say: (progress: string) => void,
): Promise<Line[]> {
  const lines: Line[] = [];
  while (lines.length < HELD - 1) {
    const group = Array.from({ length: AT_ONCE }, (_, i) => holdOne(address, path, token, body(lines.length + i + 1)));
    lines.push(...(await Promise.all(group)));
    if (lines.length % 2500 === 0) say(`${lines.length} held`);
    await Bun.sleep(1);
  }
  return lines;
}

async function peerKb(body: (i: number) => string, say: (progress: string) => void): Promise<number> {
  const peer = await startPeer();
  try {
    const lines = [await holdOne(peer.address, "/hold", "", body(0))];
    await Bun.sleep(1000);
    const before = residentKb(peer.pid);
    lines.push(...(await holdMany(peer.address, "/hold", "", body, say)));
    await Bun.sleep(3000);
    const each = (residentKb(peer.pid) - before) / HELD;
    for (const line of lines) line.close();
    return each;
  } finally {
    await peer.stop();
  }
}

async function openOn({ open, tokens }: Stage): Promise<number> {
  const line = await open();
  const { body } = await line.send("GET", "/api/status", tokens().human);
  line.close();
  return (JSON.parse(body) as { asks: { open: number } }).asks.open;
}

async function until(so: () => Promise<boolean>): Promise<void> {
  while (!(await so())) await Bun.sleep(100);
}

async function times(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await work(i);
    taken.push(performance.now() - start);
  }
  return taken;
}
