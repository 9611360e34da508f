// What a long queue of tasks costs a daemon that starts: whoever asks it something meanwhile does not notice.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeId } from "../src/core/id.ts";
import { processesWith } from "../src/machine/process/process.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { openLine } from "./line.ts";
import { ms, type Part, percentile } from "./row.ts";
import { openStage, type Stage } from "./stage.ts";

const QUEUED = 10_000;
const WATCHED_MS = 10_000;

export const queue: Part = {
  name: "queue",
  about: `a daemon that starts with ${QUEUED.toLocaleString("en")} queued tasks`,
  notes: [
    `Queue: tasks are written as the daemon writes them; their agent is a program that waits, so that as many run as the limit allows and the rest stays queued. From the first answer of the daemon on, \`GET /health\` is asked one after the other for ${WATCHED_MS / 1000} seconds.`,
  ],
  async run(say) {
    const [none, many] = [await measure(0, say), await measure(QUEUED, say)];
    const shown = ({ start, replies }: Measured) =>
      `${ms(start)}; ${ms(percentile(replies, 0.99))} / ${ms(Math.max(...replies))}`;
    return [
      {
        what: `start with ${QUEUED.toLocaleString("en")} queued tasks; then a request (p99 / slowest)`,
        measured: shown(many),
        beside: `without tasks: ${shown(none)}`,
      },
    ];
  },
};

type Measured = { start: number; replies: number[] };

async function measure(count: number, say: (progress: string) => void): Promise<Measured> {
  const stage = await openStage();
  try {
    say(`${count} queued tasks`);
    const bin = join(stage.root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "claude"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
    stage.env.PATH = `${bin}:${stage.env.PATH}`;
    await putQueue(stage, count);
    const since = performance.now();
    await stage.start();
    const start = performance.now() - since;
    return { start, replies: await watch(stage) };
  } finally {
    await stage.stop();
    for (const { pid } of processesWith(`PARLEY_HOME=${stage.paths.home}`)) process.kill(pid, "SIGKILL");
    await stage.dispose();
  }
}

async function watch({ address }: Stage): Promise<number[]> {
  const line = await openLine(address);
  const replies: number[] = [];
  for (const until = performance.now() + WATCHED_MS; performance.now() < until; await Bun.sleep(2)) {
    const since = performance.now();
    await line.send("GET", "/health", "");
    replies.push(performance.now() - since);
  }
  line.close();
  return replies;
}

async function putQueue({ paths, root }: Stage, count: number): Promise<void> {
  const store = openSqlite(paths.database);
  const at = Date.now() - 3_600_000;
  const made = Array.from({ length: count }, (_, n) => {
    const id = makeId(crypto.getRandomValues(new Uint8Array(16)));
    const order = { prompt: `Mend part ${n}`, name: `part ${n}`, agent: "claude-code", cwd: root, priority: n % 3 };
    return store.append({
      at: at + n,
      task: {
        id,
        expected: 0,
        events: [{ type: "task.created", order: { ...order, worktree: false, review: false } }],
      },
    });
  });
  await Promise.all(made);
  await store.close();
}
