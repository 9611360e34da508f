import { waitForDialog } from "../../../src/agents/claude-code/lab/dialog.ts";
import { waitForQuestion as waitForCodex } from "../../../src/agents/codex/lab/screen.ts";
import { waitForQuestion } from "../../../src/agents/opencode/lab/screen.ts";
import { createClient } from "../../../src/client/client.ts";
import type { Tmux } from "../../../src/lab/tmux.ts";
import type { AskView } from "../../../src/protocol/view.ts";
import { openOpencodeStage } from "../../agents/opencode-parley.ts";
import { CODEX_VERSIONS, openCodexStage } from "../../agents/codex-stage.ts";
import { OPENCODE2_VERSIONS, question as opencodeQuestion } from "../../agents/opencode-stage.ts";
import { openStage, question } from "../../agents/stage.ts";
import type { Program } from "../../e2e/program.ts";
import { eventually } from "../../patience.ts";
import { type Area, killed, nothing, type Round } from "./area.ts";
import { isUp, strikeAt, whenUp } from "./strike.ts";

const QUESTIONS = 16;
const SHARE = 0.4;
const LABELS = ["Option A", "Option B"];
const EVENTS = new Set(["ask.captured", "ask.held", "ask.settled", "ask.sent", "ask.verified"]);
const textOf = (i: number) => `Which way, number ${i}?`;
const names = Array.from({ length: QUESTIONS }, (_, i) => `q${i}`);

/** A real agent in a terminal, with a scripted model. */
type Real = {
  program: Program;
  tmux: Tmux;
  /** Nothing of Parley's runs in it. */
  isAlone?: true;
  prompt(text: string): Promise<void>;
  /** Its own dialog with this question is open. */
  shown(text: string): Promise<unknown>;
  /** What its model received for the call of that name. */
  received(name: string): Promise<{ text: string }>;
  kill(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

async function openClaude(): Promise<Real> {
  const script = Object.fromEntries(
    names.map((name, i) => [
      name,
      [{ tool: "AskUserQuestion", id: `call_${name}`, input: { questions: [question(textOf(i), LABELS)] } }],
    ]),
  );
  const stage = await openStage({ version: "2.1.325", script });
  const { claude, model, program } = stage;
  return {
    program,
    tmux: claude.tmux,
    prompt: (text) => claude.prompt(text),
    shown: (text) => waitForDialog(claude.tmux, text),
    received: (name) => model.waitForToolResult(`call_${name}`),
    kill: () => claude.kill("SIGKILL"),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

const opencodeScript = () =>
  Object.fromEntries(
    names.map((name, i) => [
      name,
      [{ tool: "question", id: `call_${name}`, input: { questions: [opencodeQuestion(textOf(i), LABELS)] } }],
    ]),
  );

async function openOpencode(): Promise<Real> {
  const stage = await openOpencodeStage("1.18.33", opencodeScript());
  const { lab, model, program } = stage;
  return {
    program,
    tmux: lab.tmux,
    prompt: (text) => lab.prompt(text),
    shown: (text) => waitForQuestion(lab.tmux, text),
    received: (name) => model.waitForToolResult(`call_${name}`),
    kill: () => lab.kill(),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

async function openSecondOpencode(): Promise<Real> {
  const stage = await openOpencodeStage(OPENCODE2_VERSIONS[0], opencodeScript());
  const { lab, model, program } = stage;
  return {
    program,
    tmux: lab.tmux,
    isAlone: true,
    prompt: (text) => lab.prompt(text),
    shown: (text) => waitForQuestion(lab.tmux, text),
    received: (name) => model.waitForToolResult(`call_${name}`),
    kill: () => lab.killService(),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

async function openCodex(): Promise<Real> {
  const options = LABELS.map((label) => ({ label, description: `What ${label} means` }));
  const input = (i: number) => ({ questions: [{ id: "way", header: "Way", question: textOf(i), options }] });
  const script = Object.fromEntries(
    names.map((name, i) => [name, [{ tool: "request_user_input", id: `call_${name}`, input: input(i) }]]),
  );
  const stage = await openCodexStage(CODEX_VERSIONS[0], script);
  const { lab, model, program } = stage;
  return {
    program,
    tmux: lab.tmux,
    isAlone: true,
    prompt: (text) => lab.prompt(text),
    shown: (text) => waitForCodex(lab.tmux, text),
    received: (name) => model.waitForToolResult(`call_${name}`),
    kill: () => lab.killDaemon(),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

/** It asks, one question after the other; the daemon dies at an event of each, in the end the agent dies as it asks. */
const area = (name: string, share: number, open: () => Promise<Real>): Area => ({
  name,
  share,
  async play(random) {
    const round = nothing();
    await using real = await open();
    const client = createClient(real.program.paths, { wakes: false });
    const over = new AbortController();
    const struck = { round, signal: over.signal, most: Number.POSITIVE_INFINITY };
    const wanted = ({ type }: { type: string }) => EVENTS.has(type) && random() < SHARE;
    const striking = strikeAt({ paths: real.program.paths, events: client.events }, wanted, struck);
    const find = (text: string, ready: (ask: AskView) => boolean) =>
      eventually(async () => {
        await isUp(real.program);
        const { asks } = await client.call("listAsks", { query: { state: "all", limit: 100 } });
        const found = asks.filter(({ questions }) => questions[0]?.text === text);
        if (found.length > 1) round.doubled.push(`${text} is there ${found.length} times`);
        const [ask] = found;
        if (!ask || !ready(ask)) throw new Error(`${text}: ${JSON.stringify(ask)}`);
        return ask;
      });
    for (const [i, each] of names.entries()) {
      const isLast = i === names.length - 1;
      if (isLast) over.abort();
      await real.prompt(`SCENARIO:${each} please`);
      await real.shown(textOf(i));
      round.asks++;
      const { id } = await find(textOf(i), ({ reachable }) => reachable);
      if (isLast) await dies(real, textOf(i), round, find);
      else await answered({ real, id, name: each, text: textOf(i), round, client, find });
    }
    await striking;
    return round;
  },
});

type Find = (text: string, ready: (ask: AskView) => boolean) => Promise<AskView>;
type Given = {
  real: Real;
  id: string;
  name: string;
  text: string;
  round: Round;
  client: ReturnType<typeof createClient>;
  find: Find;
};

async function answered({ real, id, name, text, round, client, find }: Given): Promise<void> {
  const idempotencyKey = crypto.randomUUID();
  await eventually(async () => {
    await isUp(real.program);
    await client.call("settleAsk", { id, body: { action: "answer", answers: [{ picks: [1] }] }, idempotencyKey });
  });
  round.answers++;
  // No hand: whoever of the agent's waits for it starts the next daemon. Where nothing of Parley's runs, somebody else does.
  const [receiving, over] = [real.received(name).catch((error: Error) => ({ text: error.message })), { is: false }];
  void receiving.then(() => (over.is = true));
  while (real.isAlone && !over.is) await Promise.race([receiving, isUp(real.program).then(() => Bun.sleep(200))]);
  const got = await receiving;
  if (!got.text.includes(LABELS[1] ?? "")) round.lost.push(`${text} was answered, and the model got: ${got.text}`);
  await find(text, ({ state }) => state === "verified").catch((error: Error) => round.untrue.push(error.message));
  const read = () => client.call("readLog", { query: { ask: id, limit: 1000 } });
  const { events } = await whenUp(real.program, read);
  const settled = events.filter(({ type }) => type === "ask.settled").length;
  if (settled > 1) round.doubled.push(`${text}: settled ${settled} times`);
}

async function dies(real: Real, text: string, round: Round, find: Find): Promise<void> {
  await real.kill();
  killed(round, "agent");
  const { outcome } = await find(text, ({ state }) => state === "closed");
  if (outcome?.type !== "withdrawn") round.untrue.push(`${text}: its agent died, and it is ${outcome?.type}`);
}

export const real: readonly Area[] = [
  area("real Claude Code", 2, openClaude),
  area("real opencode", 2, openOpencode),
  area("real opencode 2", 1, openSecondOpencode),
  area("real codex", 1, openCodex),
];
