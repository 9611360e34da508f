import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeId } from "../src/core/id.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { openBareRows } from "./bare-rows.ts";
import { type Address, openLinePatiently } from "./line.ts";
import { startPeer } from "./peer.ts";
import { median, type Part, perSecond, type Row } from "./row.ts";
import { openStage } from "./stage.ts";

const CLIENTS = 100;
const FOR_MS = 2000;
/** In turns, so that what else the machine does falls on both alike. */
const TURNS = 3;
/** The peer answers as little. */
const BRIEF = "prefer: return=minimal\r\n";
const LEAST_SHARE = { store: 0.8, http: 0.75 };

export const rate: Part = {
  name: "rate",
  about: "durable asks a second, beside bare group commit",
  notes: [
    `Asks a second: ${CLIENTS} clients, each sends its next when the one before is on disk. Bare group commit has the same batch policy, settings and tables and writes rows that are ready: no checks, no versions, no listeners. Without indexes it is one table with the same bytes: the most that SQLite and the disk give. Over HTTP the peer is a Bun.serve that parses the JSON and then does the same; there the daemon checks the question, the token and the body, and answers with the whole ask, or with its id alone where that is preferred.`,
  ],
  async run(say) {
    say("in the store");
    const [store, bare, plain] = await inTurns([storeRate, () => bareRate(true), () => bareRate(false)]);
    say("over HTTP");
    const [http, httpBrief, bareHttp] = await inTurns([() => httpRate(""), () => httpRate(BRIEF), bareHttpRate]);
    const most = `, without indexes: ${perSecond(plain ?? 0)}`;
    return [
      row("durable asks/s, the store itself", store, bare, LEAST_SHARE.store, most),
      row("durable asks/s, POST /api/asks", http, bareHttp, LEAST_SHARE.http),
      row("the same with `Prefer: return=minimal`", httpBrief, bareHttp, LEAST_SHARE.http),
    ];
  },
};

function row(what: string, ours = 0, bare = 0, least = 0, more = ""): Row {
  return {
    what,
    measured: `${perSecond(ours)} (${Math.round((100 * ours) / bare)} %)`,
    beside: `bare group commit: ${perSecond(bare)}${more}`,
    aim: `≥ ${least * 100} %`,
    met: ours >= least * bare,
  };
}

async function inTurns(contenders: readonly (() => Promise<number>)[]): Promise<number[]> {
  const rates = contenders.map((): number[] => []);
  for (let turn = 0; turn < TURNS; turn++)
    for (const [i, measured] of contenders.entries()) rates[i]?.push(await measured());
  return rates.map(median);
}

const QUESTION = {
  question: "Which approach should we use?",
  header: "Approach",
  multiSelect: false,
  options: ["Option A", "Option B", "Option C"].map((label) => ({ label, description: "What it means" })),
};

async function storeRate(): Promise<number> {
  return inFolder(async (folder) => {
    const store = openSqlite(join(folder, "parley.db"));
    const questions = [
      {
        ...QUESTION,
        text: QUESTION.question,
        options: QUESTION.options.map((option) => ({ ...option, recommended: false })),
      },
    ];
    const result = await rateOf(async () => {
      const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
      const captured = {
        type: "ask.captured" as const,
        kind: "question" as const,
        questions,
        origin: { agent: "script" },
        key: "fetch",
        channel: "fetch",
      };
      await store.append({ at: Date.now(), ask: { id, expected: 0, events: [captured] } });
    });
    await store.close();
    return result;
  });
}

async function bareRate(indexed: boolean): Promise<number> {
  return inFolder(async (folder) => {
    const rows = openBareRows(join(folder, "rows.db"), { indexed });
    const result = await rateOf(rows.append);
    rows.close();
    return result;
  });
}

async function httpRate(headers: string): Promise<number> {
  const stage = await openStage();
  try {
    await stage.start();
    return await sendingRate(stage.address, "/api/asks", stage.tokens().agent, headers);
  } finally {
    await stage.dispose();
  }
}

async function bareHttpRate(): Promise<number> {
  const peer = await startPeer();
  try {
    return await sendingRate(peer.address, "/rows", "");
  } finally {
    await peer.stop();
  }
}

async function sendingRate(address: Address, path: string, token: string, headers = ""): Promise<number> {
  const lines = await Promise.all(Array.from({ length: CLIENTS }, () => openLinePatiently(address)));
  const body = JSON.stringify({ questions: [QUESTION] });
  const result = await rateOf(async (client) => {
    const { status, body: text } = (await lines[client]?.send("POST", path, token, body, headers)) ?? {};
    if (status !== 200) throw new Error(`refused: ${text}`);
  });
  for (const line of lines) line.close();
  return result;
}

async function rateOf(work: (client: number) => Promise<void>): Promise<number> {
  let [done, from] = [0, 0];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (; performance.now() - start < FOR_MS; done++) {
        await work(client);
        // The first quarter warms up.
        if (from === 0 && performance.now() - start > FOR_MS / 4) [done, from] = [0, performance.now()];
      }
    }),
  );
  return done / ((performance.now() - from) / 1000);
}

async function inFolder(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
