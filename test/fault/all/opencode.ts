import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../../src/client/client.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import { BUN, createProgram, type Program } from "../../e2e/program.ts";
import { eventually } from "../../patience.ts";
import { labelOf } from "../truth.ts";
import { type Area, isWrong, killed, lostBy, nothing, type Round } from "./area.ts";
import type { FromOpencode, ToOpencode } from "./played-opencode.ts";
import { remainsOf, type Said } from "./remains.ts";
import { isUp, strikeAt, strikeDaemon, whenUp } from "./strike.ts";

const [LANES, QUESTIONS, FEW, SHARE, AFTER, IN_CALL, HERE] = [3, 6, 2, 0.2, 0.3, 0.4, 0.15];
const [OURS, THEIRS] = ["Option B", "Option A"];
const EVENTS = new Set(["ask.captured", "ask.held", "ask.settled", "ask.sent", "ask.verified"]);
const SOURCE = join(import.meta.dir, "../../../src/agents/opencode/plugin.js");

/** A played opencode with the real plugin in it; `got`: what its calls came to, by their names. */
function startOpencode(program: Program, whenReplied: () => Promise<boolean>) {
  const folder = join(program.user, "shop");
  mkdirSync(folder, { recursive: true });
  const plugin = join(program.root, "plugin.js");
  writeFileSync(plugin, readFileSync(SOURCE, "utf8").replace("PARLEY_ADDRESS_FILE", join(program.home, "daemon.json")));
  const [got, asked] = [new Map<string, string[]>(), new Set<string>()];
  const database = join(program.root, "opencode.db");
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, OPENCODE_DB: database };
  const child = Bun.spawn([BUN, join(import.meta.dir, "played-opencode.ts"), plugin, database, folder], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "ignore"],
    ipc(line: FromOpencode) {
      if ("asked" in line) asked.add(line.asked);
      if ("got" in line) got.set(line.got, [...(got.get(line.got) ?? []), line.label]);
      if ("replied" in line) void whenReplied().then((isCut) => tell({ taken: line.replied, isCut }));
    },
  });
  // It may be gone by then.
  const tell = (line: ToOpencode) => void (child.exitCode === null && child.signalCode === null && child.send(line));
  return {
    got,
    tell,
    async ask(call: string, session: string, text: string) {
      tell({ ask: { call, session, text, labels: [THEIRS, OURS] } });
      await eventually(() => asked.has(call) || Promise.reject(new Error(`opencode does not ask ${call}`)));
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Agents that are answered over a connection of theirs, in whose process something of Parley's runs. */
export const opencode: Area = {
  name: "opencode",
  share: 10,
  async play(random, seed, { command, isSmall } = {}) {
    const round = nothing();
    const program = createProgram(command);
    const over = new AbortController();
    await program.start();
    const strike = async () => {
      if (!strikeDaemon(program)) return false;
      killed(round, "daemon");
      await program.kill9();
      return true;
    };
    const agent = startOpencode(program, async () => {
      const isCut = random() < 0.5;
      return random() < IN_CALL && (await strike()) && isCut;
    });
    const client = createClient(program.paths, { wakes: false });
    const said: Said[] = [];
    const wanted = ({ type }: { type: string }) => EVENTS.has(type) && random() < SHARE;
    const struck = { round, signal: over.signal, most: Number.POSITIVE_INFINITY };
    const striking = strikeAt({ paths: program.paths, events: client.events }, wanted, struck);
    const find = (text: string, ready: (ask: AskView) => boolean) =>
      eventually(async () => {
        await isUp(program);
        const { asks } = await client.call("listAsks", { query: { state: "all", limit: 100 } });
        const [ask, ...more] = asks.filter(({ questions }) => questions[0]?.text === text);
        if (more.length > 0) round.doubled.push(`${text} is there ${more.length + 1} times`);
        if (!ask || !ready(ask)) throw new Error(`${text}: ${JSON.stringify(ask)}`);
        return ask;
      });
    const asks = async (lane: number, i: number) => {
      const [call, text] = [`call_${lane}_${i}`, `Which way, ${lane}.${i} of ${seed}?`];
      await agent.ask(call, `ses_${lane}`, text);
      round.asks++;
      return { call, text, ask: await find(text, ({ reachable }) => reachable) };
    };
    const one = async (lane: number, i: number) => {
      const { call, text, ask } = await asks(lane, i);
      const isHere = random() < HERE;
      if (isHere) agent.tell({ here: call, label: THEIRS });
      else {
        const [body, key] = [{ action: "answer" as const, answers: [{ picks: [1] }] }, crypto.randomUUID()];
        const settle = () => client.call("settleAsk", { id: ask.id, body, idempotencyKey: key });
        // It was shown: it is there.
        if (!(await whenUp(program, settle).catch(lostBy(round)))) return;
        round.answers++;
        said.push({ id: ask.id, label: OURS });
        if (random() < AFTER) await strike();
        const kept = await whenUp(program, () => client.call("getAsk", { id: ask.id })).catch(lostBy(round));
        if (kept && !kept.outcome) round.lost.push(`${text} was answered, and is ${kept.state}`);
        if (isWrong(round)) return;
      }
      const label = isHere ? THEIRS : OURS;
      const isEnd = ({ state }: AskView) => state === (isHere ? "closed" : "verified");
      const end = await find(text, isEnd).catch((error: Error) => void round.untrue.push(error.message));
      if (end?.outcome && labelOf(end, end.outcome) !== label)
        round.untrue.push(`${text}: ${label} in its agent, ${JSON.stringify(end.outcome)} here`);
      // Its record may be read before its own word of it.
      await eventually(() => agent.got.has(call) || Promise.reject(new Error("nothing"))).catch(() => undefined);
      heardOnce(agent.got.get(call) ?? [], { text, label }, round);
    };
    try {
      const lane = async (which: number) => {
        for (let i = 0; i < (isSmall ? FEW : QUESTIONS) && !isWrong(round); i++) await one(which, i);
      };
      await Promise.all(Array.from({ length: LANES }, (_, which) => lane(which)));
      over.abort();
      await striking;
      if (!isWrong(round)) await dies(await Promise.all([0, 1, 2].map((which) => asks(which, QUESTIONS))));
      await remainsOf(program, said, round);
      return round;
    } finally {
      over.abort();
      await agent.kill();
      await program.dispose();
    }

    async function dies(left: { text: string }[]): Promise<void> {
      await agent.kill();
      killed(round, "agent");
      for (const { text } of left) {
        const { outcome } = await find(text, ({ state }) => state === "closed");
        if (outcome?.type !== "withdrawn") round.untrue.push(`${text}: its agent died, and it is ${outcome?.type}`);
      }
    }
  },
};

function heardOnce(got: readonly string[], { text, label }: { text: string; label: string }, round: Round): void {
  if (got.length === 0) round.lost.push(`${text} was answered, and its agent does not know`);
  if (got.length > 1) round.doubled.push(`${text}: its agent got ${got.join(" and ")}`);
  if (got.some((each) => each !== label)) round.untrue.push(`${text}: its agent got ${got.join(" and ")}`);
}
