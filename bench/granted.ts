import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { payloadsOf, recording } from "../test/recorded.ts";
import { median, ms, p50p99, type Part, percentile, type Row, atMost } from "./row.ts";
import { cpuMs, mainThreadMs, openStage, type Stage } from "./stage.ts";

const LIMIT_MS = 15;
const ROUNDS = 300;
const STARTS = 7;
const [RECORDED] = payloadsOf(recording("2.1.325", "answered-by-hook"), "PermissionRequest");

/** What a granted call waits for. */
export const granted: Part = {
  name: "granted",
  about: "how long a call that a grant allows waits at its hook",
  notes: [
    "Granted call: from the request of the hook at the dialog to its decision, after its fsync; one grant among 50. The first one: in a daemon that was started and has come to rest; in the moment of the start: as soon as it answers, while it still does what it starts with. Processor: what the daemon's main thread used of it meanwhile, which a busy machine does not change.",
  ],
  async run() {
    const stage = await openStage();
    try {
      await stage.start();
      const folder = join(stage.root, "shop");
      mkdirSync(folder);
      for (let i = 0; i < 50; i++) await give(stage, folder, i === 0 ? "npm test" : `npm run task-${i}`);
      const first: Took[] = [];
      const atOnce: Took[] = [];
      for (let i = 0; i < STARTS; i++) {
        for (const times of [atOnce, first]) {
          await stage.stop();
          await stage.start();
          if (times === first) await idle(stage);
          times.push(await once(stage, folder));
        }
      }
      const times: Took[] = [];
      for (let i = 0; i < ROUNDS; i++) times.push(await once(stage, folder));
      const waited = (took: readonly Took[]) => took.map(({ waits }) => waits);
      const busy = (took: readonly Took[]) => `; ${ms(median(took.map(({ works }) => works)))} of the processor`;
      const row = (what: string, measured: string, value: number): Row => ({
        what,
        measured,
        aim: `≤ ${LIMIT_MS} ms`,
        ...atMost(value, LIMIT_MS),
      });
      const [later, cold, coldest] = [waited(times), waited(first), waited(atOnce)];
      return [
        row("granted call → decision at its hook (p50 / p99)", p50p99(later) + busy(times), percentile(later, 0.99)),
        row("the first one after a start", ms(median(cold)) + busy(first), median(cold)),
        { what: "the first one, in the moment of the start", measured: ms(median(coldest)) + busy(atOnce) },
      ];
    } finally {
      await stage.dispose();
    }
  },
};

/** It has done what it starts with: for a while it needs no processor. */
async function idle({ pid }: Stage): Promise<void> {
  for (let [before, still] = [-1, 0]; still < 4; await Bun.sleep(100)) {
    const used = cpuMs(pid());
    still = used === before ? still + 1 : 0;
    before = used;
  }
}

function callOf(folder: string, command: string): { session: string; body: string } {
  const session = crypto.randomUUID();
  const payload = {
    ...RECORDED,
    session_id: session,
    transcript_path: join(folder, "none.jsonl"),
    cwd: folder,
    prompt_id: session,
    tool_name: "Bash",
    tool_input: { command, description: "x" },
  };
  const call = { agent: "claude-code", call: crypto.randomUUID(), calledAt: Date.now(), waits: true, payload };
  return { session, body: JSON.stringify({ ...call, facts: { pid: process.pid } }) };
}

/** What its hook waits for, and what the daemon's main thread does meanwhile, in ms. */
type Took = { waits: number; works: number };

async function once({ open, tokens, pid }: Stage, folder: string): Promise<Took> {
  const line = await open();
  const { body } = callOf(folder, "npm test");
  const worked = mainThreadMs(pid());
  const began = performance.now();
  const { body: reply } = await line.send("POST", "/hook/call", tokens().agent, body);
  const waits = performance.now() - began;
  const works = mainThreadMs(pid()) - worked;
  line.close();
  if (!reply.includes('"allow"')) throw new Error(`it was not granted: ${reply}`);
  return { waits, works };
}

/** As a person gives it: with the approval that waits. */
async function give({ open, tokens }: Stage, folder: string, command: string): Promise<void> {
  const [hook, person] = [await open(), await open()];
  const { session, body } = callOf(folder, command);
  const waiting = hook.send("POST", "/hook/call", tokens().agent, body);
  for (let id: string | undefined; ; await Bun.sleep(5)) {
    const { body: listed } = await person.send("GET", `/api/asks?session=${session}`, tokens().human);
    id = (JSON.parse(listed) as { asks: { id: string }[] }).asks[0]?.id;
    if (id === undefined) continue;
    const { status, body: said } = await person.send("POST", `/api/asks/${id}/grant`, tokens().human, '{"for":"2h"}');
    if (status !== 200) throw new Error(said);
    break;
  }
  await waiting;
  hook.close();
  person.close();
}
