import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { payloadsOf, recording } from "../test/recorded.ts";
import { median, ms, p50p99, type Part, percentile, type Row, atMost } from "./row.ts";
import { openStage, type Stage } from "./stage.ts";

const LIMIT_MS = 15;
const ROUNDS = 300;
const [RECORDED] = payloadsOf(recording("2.1.325", "answered-by-hook"), "PermissionRequest");

/** What a granted call waits for. */
export const granted: Part = {
  name: "granted",
  about: "how long a call that a grant allows waits at its hook",
  notes: [
    "Granted call: from the request of the hook at the dialog to its decision, after its fsync; one grant among 50. The first one also reads the shell's grammar, in a daemon that was just started.",
  ],
  async run() {
    const stage = await openStage();
    try {
      await stage.start();
      const folder = join(stage.root, "shop");
      mkdirSync(folder);
      for (let i = 0; i < 50; i++) await give(stage, folder, i === 0 ? "npm test" : `npm run task-${i}`);
      const first: number[] = [];
      for (let i = 0; i < 5; i++) {
        await stage.stop();
        await stage.start();
        first.push(await once(stage, folder));
      }
      const times: number[] = [];
      for (let i = 0; i < ROUNDS; i++) times.push(await once(stage, folder));
      const row = (what: string, measured: string, value: number): Row => ({
        what,
        measured,
        aim: `≤ ${LIMIT_MS} ms`,
        ...atMost(value, LIMIT_MS),
      });
      return [
        row("granted call → decision at its hook (p50 / p99)", p50p99(times), percentile(times, 0.99)),
        row("the first one after a start", ms(median(first)), median(first)),
      ];
    } finally {
      await stage.dispose();
    }
  },
};

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

async function once({ open, tokens }: Stage, folder: string): Promise<number> {
  const line = await open();
  const { body } = callOf(folder, "npm test");
  const began = performance.now();
  const { body: reply } = await line.send("POST", "/hook/call", tokens().agent, body);
  const took = performance.now() - began;
  line.close();
  if (!reply.includes('"allow"')) throw new Error(`it was not granted: ${reply}`);
  return took;
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
