import type { Ask } from "../../src/core/ask/ask.ts";
import { ParleyError } from "../../src/core/error.ts";
import { Outcome } from "../../src/core/ask/outcome.ts";
import { startDaemon } from "../../src/client/start-daemon.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { request } from "../e2e/api-request.ts";
import { COMMAND, type Program } from "../e2e/program.ts";
import { LABELS } from "./fake-record.ts";
import { labelOf } from "./truth.ts";

/** A script that asks Parley itself and waits for the answer. */
export type Asker = {
  question: string;
  /** What Parley said the question is called; without it nothing was acknowledged. */ id?: string;
  /** What it was told in the end. */ received?: string;
  /** Leaves the line; it comes back and waits on. */
  drop(): void;
  over: Promise<void>;
};
export type ApiAsker = Asker & { asked: Promise<string> };
export type CliAsker = Asker & { pid: number };
const WAIT_MS = 2000;

/** Over the API, with an idempotency key: it asks again until it is told that it was heard. */
export function askOverApi(program: Program, question: string): ApiAsker {
  let line = new AbortController();
  const key = crypto.randomUUID();
  const body = { questions: [{ ...formOf(question), multiSelect: false }] } as never;
  const client = program.client("agent");
  const created = untilHeard(() => client.call("createAsk", { body, idempotencyKey: key }));
  const asker: ApiAsker = {
    question,
    drop: () => line.abort(),
    asked: created.then(({ id }) => (asker.id = id)),
    over: created.then(receive),
  };
  return asker;

  async function receive(ask: AskView): Promise<void> {
    while (asker.received === undefined) {
      line = new AbortController();
      const sent = { token: program.tokens().agent, signal: line.signal };
      const reply = await request(program, "socket", `GET /api/asks/${ask.id}/answer?wait=${WAIT_MS}`, sent).catch(
        () => undefined,
      );
      const outcome = Outcome.optional().parse(reply?.body["outcome"]);
      if (outcome) asker.received = labelOf(ask, outcome) ?? outcome.type;
      else if (!reply) await startDaemon(program.paths, { patienceMs: WAIT_MS, command: COMMAND });
      else if (reply.status !== 200) throw new Error(`${question}: ${JSON.stringify(reply)}`);
    }
  }
}

/** `parley ask`, a process that may be killed; what it prints is what its script goes on with. */
export function askOverCli(program: Program, question: string): CliAsker {
  const child = program.spawn(["ask", question, ...LABELS.flatMap((label) => ["-o", label])]);
  const asker: CliAsker = { question, pid: child.pid, drop: () => undefined, over: Promise.resolve() };
  asker.over = Promise.all([child.stdout.text(), child.exited]).then(([out, code]) => {
    if (code === 0) asker.received = out.trim();
    if (code === 10) asker.received = "declined";
  });
  return asker;
}

/** What was promised to it, compared with what is left. */
export function brokenPromises(
  asker: Asker,
  asks: readonly Ask[],
): { lost: string[]; doubled: string[]; untrue: string[] } {
  const { question, id, received } = asker;
  const mine = asks.filter(({ questions }) => questions[0]?.text === question);
  const [ask] = mine;
  const says = (problem: string) => [`${question}: ${problem}; Parley ${JSON.stringify(mine)}`];
  const promised = id !== undefined || received !== undefined;
  const right = ask?.outcome && labelOf(ask, ask.outcome) === received && ask.state === "verified";
  return {
    lost: promised && !ask ? says("acknowledged, and not there") : [],
    doubled: mine.length > 1 ? says(`asked ${mine.length} times`) : [],
    untrue: received !== undefined && ask && !right ? says(`it was told ${received}`) : [],
  };
}

const formOf = (question: string) => ({
  question,
  header: "Approach",
  options: LABELS.map((label) => ({ label, description: "as it says" })),
});

async function untilHeard<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const result = await work().catch(failOpen);
    if (result) return result;
  }
}

/** A daemon that is away is what these runs are about; everything else is a defect. */
function failOpen(error: unknown): undefined {
  if (error instanceof ParleyError && error.code !== "daemon_unreachable") throw error;
  return undefined;
}
