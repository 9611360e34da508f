import { HUB_PATHS } from "../../../src/protocol/hub/hub.ts";
import { request } from "../../e2e/api-request.ts";
import type { Random } from "./hurts.ts";
import type { Asked, Ledger, Said } from "./ledger.ts";
import type { Machine, Person, World } from "./world.ts";

const WAIT_MS = 2000;
/** A request that nobody answers is said again elsewhere: its key makes that harmless. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 60;
type Listed = { id: string; intent?: { member: string } };
type Reply = { status: number; body: { error?: { code?: string; details?: { intent?: { member: string } } } } };
export type Crowd = ReturnType<typeof createCrowd>;

/** Stand-ins for agents, who ask their own daemon and wait, and people who answer through whichever hub they reach. */
export function createCrowd(world: World, random: Random, { pauseMs }: { pauseMs: number }) {
  const ledger: Ledger = { asked: [], said: [], broken: [] };
  const byId = new Map<string, Asked>();
  let [isOver, names, waiting] = [false, 0, 0];
  /** When the newest answer that was acknowledged had been given. */
  let lastGiven = 0;
  const listeners = new Set<(port: number) => void>();
  const noted = (work: Promise<void>) => work.catch((error: unknown) => void ledger.broken.push(String(error)));
  const agents = Array.from({ length: world.agents }, (_, i) => noted(agent(i % world.machines.length)));
  const people = world.people.map((each) => noted(person(each)));

  async function agent(n: number): Promise<void> {
    const machine = world.machines[n];
    if (!machine) return;
    while (!isOver) {
      await Bun.sleep(random.next() * pauseMs);
      if (isOver) return;
      waiting++;
      await ask(machine, n).finally(() => waiting--);
    }
  }

  async function ask(machine: Machine, n: number): Promise<void> {
    const question = `Question ${names++}?`;
    const key = crypto.randomUUID();
    const options = ["Yes", "No"].map((label) => ({ label, description: "as it says" }));
    const questions = [{ question, header: "Way", multiSelect: false, options }];
    const body = { questions, origin: { agent: "script", cwd: machine.project } };
    const created = await untilHeard(machine, "POST /api/asks", { body, headers: { "idempotency-key": key } });
    const asked: Asked = { machine: n, question, id: String(created["id"]), seen: false };
    ledger.asked.push(asked);
    byId.set(asked.id, asked);
    if (random.chance(0.12)) void noted(aside(machine, asked));
    while (asked.received === undefined) {
      const { outcome } = await untilHeard(machine, `GET /api/asks/${asked.id}/answer?wait=${WAIT_MS}`);
      if (outcome) asked.received = noteOf(outcome as Outcome);
    }
  }

  /** Answered on its own machine, or taken back, while others see it in the hub. */
  async function aside(machine: Machine, { id }: Asked): Promise<void> {
    await Bun.sleep(random.next() * pauseMs);
    if (random.chance(0.4)) return void (await untilHeard(machine, `POST /api/asks/${id}/withdraw`));
    const body = { action: "answer", answers: [{ picks: [1], note: `here ${names++}` }] };
    await untilHeard(machine, `POST /api/asks/${id}/settle`, { body, as: "human", may: [409] });
  }

  async function person(who: Person): Promise<void> {
    while (!isOver || waiting > 0) {
      await Bun.sleep(LOOK_MS * (0.5 + random.next()));
      const asks = (await say(who, "GET", `${HUB_PATHS.asks}?state=open&limit=500`))?.body as
        | { asks?: Listed[] }
        | undefined;
      for (const { id } of asks?.asks ?? []) {
        const asked = byId.get(id);
        if (asked) asked.seen = true;
      }
      // What somebody has answered is mostly left to them.
      const free = asks?.asks?.filter(({ intent }) => !intent || random.chance(0.02)) ?? [];
      await Promise.all(random.some(free, 8).map(({ id }) => answer(who, id)));
    }
  }

  async function answer(who: Person, ask: string): Promise<void> {
    const given: Said = { ask, member: who.name, key: crypto.randomUUID(), note: `hub ${names++}`, reply: "none" };
    ledger.said.push(given);
    const body = { action: "answer", answers: [{ picks: [random.below(2)], note: given.note }] };
    while (given.reply === "none") {
      const at = performance.now();
      const reply = await say(who, "POST", `${HUB_PATHS.asks}/${ask}/answer`, { body, key: given.key }, (port) => {
        for (const listener of listeners) listener(port);
      });
      const error = reply?.body.error;
      if (reply?.status === 200) {
        given.reply = "acknowledged";
        lastGiven = Math.max(lastGiven, at);
      } else if (error?.code === "already_settled") {
        const first = error.details?.intent?.member;
        given.reply = first === undefined ? "settled" : "second";
        if (first !== undefined) given.first = first;
      } else if (error?.code === "not_found") given.reply = "unknown";
      else if (reply && reply.status < 500) throw new Error(`an answer was refused: ${JSON.stringify(reply.body)}`);
      else await Bun.sleep(LOOK_MS);
    }
  }

  /** At some hub that runs; undefined: nobody answered, or nobody could. */
  async function say(
    { token }: Person,
    method: string,
    path: string,
    sent?: { body: object; key: string },
    onAcknowledged?: (port: number) => void,
  ): Promise<Reply | undefined> {
    const port = random.pick(world.upPorts());
    if (port === undefined) return undefined;
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(sent && { "idempotency-key": sent.key }) },
        ...(sent && { body: JSON.stringify(sent.body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (response.status === 200) onAcknowledged?.(port);
      return { status: response.status, body: (await response.json()) as Reply["body"] };
    } catch {
      return undefined;
    }
  }

  return {
    ledger,
    lastGiven: () => lastGiven,
    waiting: () => waiting,
    /** Called at once when a hub acknowledges an answer, with its port. */
    onAcknowledged(listener: (port: number) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Nobody asks any more; what was asked is answered. Contract: resolves when everybody has been told. */
    async end(): Promise<void> {
      isOver = true;
      await Promise.all([...agents, ...people]);
    },
  };
}

type Outcome = { type: string; answers?: { note?: string }[] };
export const noteOf = ({ type, answers }: Outcome): string => answers?.[0]?.note ?? type;

type Sent = { body?: object; headers?: Record<string, string>; as?: "agent" | "human"; may?: number[] };

/** Asks the daemon until it answers: it may be killed, or asleep. */
async function untilHeard({ program }: Machine, line: string, { body, headers, as = "agent", may = [] }: Sent = {}) {
  for (;;) {
    const reply = await request(program, "socket", line, {
      token: program.tokens()[as],
      ...(body && { body }),
      ...(headers && { headers }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => undefined);
    if (reply && (reply.status < 300 || may.includes(reply.status))) return reply.body;
    if (reply && reply.status < 500) throw new Error(`${line}: ${reply.text}`);
    await Bun.sleep(LOOK_MS);
  }
}
