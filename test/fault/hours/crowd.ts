import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ANSWER, type Asker, createAsker } from "../../../bench/asker.ts";
import { type Line, openLinePatiently } from "../../../bench/line.ts";
import { question } from "../../e2e/api-request.ts";
import type { Program } from "../../e2e/program.ts";

/** How long each thing took, in ms, since the last look. */
export type Times = Record<"ask" | "settle" | "answer" | "list", number[]>;
export const noTimes = (): Times => ({ ask: [], settle: [], answer: [], list: [] });
export type Crowd = {
  held(): number;
  settled(): number;
  /** What was measured since it was last called. */
  take(): Times;
  wrong: string[];
  /** Nobody asks any more; everything that is open is answered. */
  end(): Promise<void>;
};
type Waiting = { id: string; asked: PromiseWithResolvers<number> };

/** After so many questions an agent's session ends, and another begins. */
const QUESTIONS_OF_A_SESSION = 20;
const LIST_EVERY = 10;

/**
 * Agents (hooks that wait at their dialog, and a transcript that says what became of it) and scripts, one of both in turn, each with
 * one question open all the time; a person answers the oldest, so many in a minute.
 */
export function openCrowd(program: Program, { held, perMinute }: { held: number; perMinute: number }): Crowd {
  const folder = join(program.root, "sessions");
  mkdirSync(folder);
  const address = { unix: program.paths.socket };
  const { agent, human } = program.tokens();
  const waiting: Waiting[] = [];
  const wrong: string[] = [];
  let [times, isOver, settled, left] = [noTimes(), false, 0, held];
  const open = () => openLinePatiently(address);
  const seats = Array.from({ length: held }, (_, i) =>
    (i % 2 === 0 ? agentSeat(i) : scriptSeat()).catch(broken).finally(() => left--),
  );
  const person = answerOldest().catch(broken);

  function broken(error: unknown): void {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  /** In the queue of the person; resolves when the answer is sent. */
  function queue(id: string): Promise<number> {
    const asked = Promise.withResolvers<number>();
    waiting.push({ id, asked });
    return asked.promise;
  }

  async function agentSeat(seat: number): Promise<void> {
    const [hook, dialog] = [await open(), await open()];
    let asker = createAsker(folder, `agent${seat}`);
    for (let round = 1; !isOver; round++) {
      await agentAsks(asker, hook, dialog);
      if (round % QUESTIONS_OF_A_SESSION > 0) continue;
      await hook.send("POST", "/hook/call", agent, asker.leave());
      asker = createAsker(folder, `agent${seat}`);
    }
    hook.close();
    dialog.close();
  }

  async function agentAsks(asker: Asker, hook: Line, dialog: Line): Promise<void> {
    const body = asker.ask();
    await timed("ask", () => hook.send("POST", "/hook/call", agent, body));
    const { body: list } = await hook.send("GET", `/api/asks?session=${asker.id}`, human);
    const { asks } = JSON.parse(list) as { asks: { id: string }[] };
    const reply = dialog.send("POST", "/hook/call", agent, asker.hold());
    const settledAt = await queue(asks[0]?.id ?? "");
    const { body: output } = await reply;
    times.answer.push(performance.now() - settledAt);
    const { handed = [] } = JSON.parse(output) as { handed?: unknown[] };
    if (handed.length === 0) throw new Error(`a hook got no answer: ${output}`);
    await hook.send("POST", "/hook/ack", agent, JSON.stringify({ call: "", handed, output: {} }));
    asker.receive();
  }

  async function scriptSeat(): Promise<void> {
    const line = await open();
    const origin = { agent: "script", project: "shop", branch: "main" };
    const body = JSON.stringify({ questions: [question()], origin });
    while (!isOver) {
      const { body: made } = await timed("ask", () => line.send("POST", "/api/asks", agent, body));
      const { id } = JSON.parse(made) as { id: string };
      const at = queue(id);
      let outcome: { type?: string } | undefined;
      while (!outcome) {
        const { status, body: said } = await line.send("GET", `/api/asks/${id}/answer?wait=20000`, agent);
        if (status !== 200) throw new Error(`${id}: ${status} ${said}`);
        outcome = (JSON.parse(said) as { outcome?: { type?: string } }).outcome;
      }
      times.answer.push(performance.now() - (await at));
      if (outcome.type !== "answered") throw new Error(`${id} was answered, and its script heard ${outcome.type}`);
    }
    line.close();
  }

  async function answerOldest(): Promise<void> {
    const line = await open();
    while (waiting.length < held && wrong.length === 0) await Bun.sleep(20);
    for (let due = performance.now(); !isOver || left > 0;) {
      // At the end whatever is open is answered at once.
      const early = isOver ? 0 : due - performance.now();
      const next = early > 0 ? undefined : waiting.shift();
      if (!next) {
        await Bun.sleep(Math.min(Math.max(early, 10), 200));
        continue;
      }
      due += 60_000 / perMinute;
      next.asked.resolve(performance.now());
      const { status, body } = await timed("settle", () =>
        line.send("POST", `/api/asks/${next.id}/settle`, human, ANSWER),
      );
      if (status === 200) settled++;
      else wrong.push(`${next.id} was not settled: ${status} ${body}`);
      if (settled % LIST_EVERY === 0) await timed("list", () => line.send("GET", "/api/asks", human));
    }
    line.close();
  }

  async function timed<T>(what: keyof Times, work: () => Promise<T>): Promise<T> {
    const at = performance.now();
    const done = await work();
    times[what].push(performance.now() - at);
    return done;
  }

  return {
    held: () => waiting.length,
    settled: () => settled,
    take: () => {
      const taken = times;
      times = noTimes();
      return taken;
    },
    wrong,
    async end() {
      isOver = true;
      await Promise.all([...seats, person]);
    },
  };
}
