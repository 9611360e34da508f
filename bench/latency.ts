import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANSWER, type Asker, createAsker } from "./asker.ts";
import { type Line, openLinePatiently } from "./line.ts";
import { startPeer } from "./peer.ts";
import { atMost, p50p99, type Part, percentile, type Row } from "./row.ts";
import { openStage, type Stage } from "./stage.ts";
import { subscribe } from "./subscriber.ts";

const LIMIT_MS = 10;
/** How many agents there are, how often each asks, and how long it works in between. */
const LOADS = [
  { agents: 1, rounds: 300, workMs: 5 },
  { agents: 100, rounds: 18, workMs: 1000 },
  { agents: 100, rounds: 18, workMs: 0 },
  { agents: 1000, rounds: 6, workMs: 5000 },
];
/** With a thousand of them: of what a server takes that only stores. */
const LIMIT_OF_BARE = 3;

export const latency: Part = {
  name: "latency",
  about: "how long a question takes to a person, and an answer to the agent",
  notes: [
    "Latency: every agent asks, waits, is answered, works for a moment and asks again, over and over. Question: from the request of the hook before the dialog to the event at a subscriber, after its fsync. Answer: from the request that settles to the reply at the hook that waits at the dialog, after its fsync. The transcript of every agent is there and read, and every answer is verified by it. The peer gets the same four requests of every agent, with the same bytes, pauses and lines (three for each agent), and stores an event and an Ask for each: the time of any of them.",
  ],
  async run(say) {
    const rows: Row[] = [];
    for (const load of LOADS) {
      say(`${load.agents} agents`);
      rows.push(...(await measured(load)));
    }
    return rows;
  },
};

/** The share of rounds that only warm up: a daemon runs for weeks, its first second is not what anybody waits for. */
const WARM_UP = 0.2;
type Load = (typeof LOADS)[number];
type Times = { question: number[]; answer: number[] };

async function measured(load: Load): Promise<Row[]> {
  const { agents, rounds, workMs } = load;
  const times: Times = { question: [], answer: [] };
  /** How long each agent took for all of its rounds. */
  const whole: number[] = [];
  const stage = await openStage();
  try {
    await stage.start();
    const subscriber = await subscribe(stage);
    await Promise.all(
      Array.from({ length: agents }, async (_, i) => {
        const asker = createAsker(stage.root, `agent${i}`);
        const lines = await openLines(stage.open);
        // Not in step: agents do not ask at one moment.
        await Bun.sleep(Math.random() * workMs);
        const since = performance.now();
        for (let round = 0; round < rounds; round++) {
          await once(asker, lines, stage, subscriber, round < rounds * WARM_UP ? { question: [], answer: [] } : times);
          await Bun.sleep(workMs * (0.5 + Math.random()));
        }
        whole.push(performance.now() - since);
        closeAll(lines);
      }),
    );
    subscriber.close();
  } finally {
    await stage.dispose();
  }
  const peer = await bare(load);
  const isPaced = workMs > 0;
  const limit = agents === 1000 ? LIMIT_OF_BARE * percentile(peer, 0.99) : LIMIT_MS;
  const said = agents === 1000 ? `p99 ≤ ${LIMIT_OF_BARE} × bare` : `p99 ≤ ${LIMIT_MS} ms`;
  const aim = agents > 1 && isPaced ? { aim: said } : {};
  const met = (values: number[]) => (agents > 1 && isPaced ? atMost(percentile(values, 0.99), limit) : {});
  const who = `${agents} agent${agents === 1 ? "" : "s"}${isPaced ? "" : " at once, without a pause"}`;
  const beside = `bare row over HTTP, with fsync: ${p50p99(peer)}`;
  return [
    {
      what: `question → visible, ${who} (p50 / p99)`,
      measured: p50p99(times.question),
      beside,
      ...aim,
      ...met(times.question),
    },
    {
      what: `answer → hook's reply, ${who} (p50 / p99)`,
      measured: p50p99(times.answer),
      beside,
      ...aim,
      ...met(times.answer),
    },
    ...(isPaced ? [] : [starved(whole)]),
  ];
}

/** Each has the same to do: whoever is passed over is late. */
function starved(whole: readonly number[]): Row {
  const [least, middle, most] = [0, 0.5, 1].map((share) => percentile(whole, share) / 1000);
  return {
    what: "the same: all rounds of an agent, the fastest / the median / the slowest",
    measured: `${least?.toFixed(1)} s / ${middle?.toFixed(1)} s / ${most?.toFixed(1)} s`,
    aim: "slowest ≤ 1.5 × median",
    ...atMost(most ?? 0, 1.5 * (middle ?? 0)),
  };
}

type Lines = { hook: Line; dialog: Line; person: Line };
/** As long as the hook's word that it has handed an answer over. */
const ACK = JSON.stringify({ call: "", handed: [{ ask: "x".repeat(12), key: "x".repeat(42) }], output: {} });

async function once(
  asker: Asker,
  { hook, dialog, person }: Lines,
  { tokens }: Stage,
  subscriber: Awaited<ReturnType<typeof subscribe>>,
  times: Times,
): Promise<void> {
  const { agent, human } = tokens();
  const body = asker.ask();
  const captured = subscriber.next("ask.captured", asker.id);
  const askedAt = performance.now();
  const before = hook.send("POST", "/hook/call", agent, body);
  const { ask = "" } = await captured;
  times.question.push(performance.now() - askedAt);
  await before;

  const held = subscriber.next("ask.held", asker.id);
  const reply = dialog.send("POST", "/hook/call", agent, asker.hold());
  await held;
  const answeredAt = performance.now();
  const settled = person.send("POST", `/api/asks/${ask}/settle`, human, ANSWER);
  const { body: output } = await reply;
  times.answer.push(performance.now() - answeredAt);
  const { handed } = JSON.parse(output) as { handed: unknown[] };
  if (handed.length === 0 || (await settled).status !== 200) throw new Error(`no answer came: ${output}`);

  const verified = subscriber.next("ask.verified", asker.id);
  await hook.send("POST", "/hook/ack", agent, JSON.stringify({ call: "", handed, output: {} }));
  asker.receive();
  await verified;
}

/** The same requests on as many lines, with the same pauses, against a server that only stores a row for each. */
async function bare({ agents, rounds, workMs }: Load): Promise<number[]> {
  const times: number[] = [];
  const [peer, folder] = [await startPeer(), mkdtempSync(join(tmpdir(), "parley-bench-"))];
  try {
    await Promise.all(
      Array.from({ length: agents }, async (_, i) => {
        const asker = createAsker(folder, `agent${i}`);
        const lines = await openLines(() => openLinePatiently(peer.address));
        await Bun.sleep(Math.random() * workMs);
        for (let round = 0; round < rounds; round++) {
          await rowsOnce(asker, lines, round < rounds * WARM_UP ? [] : times);
          await Bun.sleep(workMs * (0.5 + Math.random()));
        }
        closeAll(lines);
      }),
    );
  } finally {
    await peer.stop();
    rmSync(folder, { recursive: true });
  }
  return times;
}

/** What `once` sends, and what the agent writes meanwhile. */
async function rowsOnce(asker: Asker, { hook, dialog, person }: Lines, times: number[]): Promise<void> {
  async function put(line: Line, body: string): Promise<void> {
    const at = performance.now();
    await line.send("POST", "/rows", "", body);
    times.push(performance.now() - at);
  }
  await put(hook, asker.ask());
  await put(dialog, asker.hold());
  await put(person, ANSWER);
  await put(hook, ACK);
  asker.receive();
}

async function openLines(open: () => Promise<Line>): Promise<Lines> {
  return { hook: await open(), dialog: await open(), person: await open() };
}

function closeAll(lines: Lines): void {
  for (const line of Object.values(lines)) line.close();
}
