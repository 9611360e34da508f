import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shortId } from "../core/id.ts";
import { startParley } from "../lab/live-parley.ts";
import { createScriptedModel, type Say, type Script, type ScriptedModel } from "../lab/model.ts";
import { poll } from "../lab/poll.ts";
import type { Tmux } from "../lab/tmux.ts";
import type { LiveOptions, LiveReport, Pass, Receipt, Times, Way, WayResult } from "./capability/lab.ts";

type Found = {
  id: string;
  state: string;
  reachable: boolean;
  outcome?: { type: string };
  questions: { text: string }[];
};
type Shown = { events: { type: string; at: number }[] };
/** An agent in a terminal of its own. */
export type RacingLab = {
  home: string;
  project: string;
  tmux: Tmux;
  prompt(text: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};
/** An agent that takes answers over a connection, or by keys, while its own dialog is open. */
export type Racing = {
  name: string;
  title: string;
  versionIn(output: string): string | undefined;
  /** What its program needs to be itself: one that renews itself would tell the version of another. */
  env?: Record<string, string>;
  /** How its model asks; the call is named `id`. */
  asks(id: string, question: string, labels: readonly string[]): Say;
  open(given: {
    program: string;
    version: string;
    model: ScriptedModel;
    env: Record<string, string>;
    prepare(dirs: { home: string; project: string }): Promise<void>;
  }): Promise<RacingLab>;
  waitForQuestion(tmux: Tmux, question: string): Promise<unknown>;
  /** At its own keyboard, where two Down and Enter are not enough. */
  pickThird?(tmux: Tmux): Promise<void>;
  /** How the model is told that this was picked. */
  tells(label: string): string;
  /** What set-up has done, in words. */
  setUp: string;
};
type Stage = {
  racing: Racing;
  lab: RacingLab;
  run(...args: string[]): Promise<string>;
  received(way: Way): Promise<string>;
  ask(way: Way, what: string, ready: (ask: Found) => boolean): Promise<Found>;
};

const LOOK_MS = 30_000;
const LABELS = ["SQLite", "Postgres", "DuckDB"];
const QUESTIONS: Partial<Record<Way, string>> = {
  shell: "Which database should we use?",
  terminal: "Which database for the tests?",
};
const scriptOf = ({ asks }: Racing): Script =>
  Object.fromEntries(
    Object.entries(QUESTIONS).map(([way, question]) => [
      way,
      [{ text: "One thing first." }, asks(`call_${way}`, question, LABELS)],
    ]),
  );

/** Such an agent has neither hold mode nor a session that comes back for an answer: those ways are not tried. */
export async function runRace(
  racing: Racing,
  { program, parley, ways, signal, keep = false, step }: LiveOptions,
): Promise<LiveReport> {
  const { name, title } = racing;
  const started = performance.now();
  const tell = (words: string) => step(words, performance.now() - started);
  const report: LiveReport = { ways: {} };
  await using stack = new AsyncDisposableStack();
  const root = await realpath(await mkdtemp(join(tmpdir(), "parley-live-")));
  stack.defer(() => (keep ? undefined : rm(root, { recursive: true, force: true, maxRetries: 5 })));
  if (keep) report.kept = root;
  const model = stack.use(createScriptedModel({ script: scriptOf(racing) }));
  const own = stack.use(await startParley(parley, root));
  tell("a Parley with a home and a daemon of its own runs");
  const version = await versionOf(program, racing);
  if (version !== undefined) report.version = version;
  let lab: RacingLab | undefined;
  try {
    lab = stack.use(
      await racing.open({
        program,
        version: version ?? "",
        model,
        env: own.env,
        async prepare({ home, project }) {
          const { code, out, err } = await own.run(["setup", name, "--yes"], { home, cwd: project });
          if (code !== 0) throw new Error(`parley setup ${name}: exit code ${code}: ${(err || out).trim()}`);
          tell(`parley setup ${name} ${racing.setUp}`);
        },
      }),
    );
    tell(`${title} waits for a prompt in a terminal of its own`);
    const stage = stageOf(racing, lab, own, model, signal);
    for (const way of ways.filter((each) => each in WAYS)) {
      signal.throwIfAborted();
      const result: WayResult = { marks: [] };
      report.ways[way] = result;
      const receipt = await WAYS[way]?.(stage, (mark, words) => {
        result.marks.push(mark);
        tell(words);
      });
      if (receipt) result.receipt = receipt;
    }
  } catch (problem) {
    signal.throwIfAborted();
    const screen = (await lab?.tmux.screen().catch(() => "")) ?? "";
    report.failure = { reason: problem instanceof Error ? problem.message : String(problem), screen: screen.trimEnd() };
  }
  return report;
}

const WAYS: Partial<Record<Way, (stage: Stage, pass: Pass) => Promise<Receipt>>> = {
  async shell(stage, pass) {
    const { id } = await asks(stage, "shell", pass);
    const said = await stage.run("answer", id, "2");
    pass("answered", `parley answer ${shortId(id)} 2: ${said.trim()}`);
    const received = await stage.received("shell");
    if (!received.includes(stage.racing.tells("Postgres")))
      throw new Error(`the model received something else: ${received}`);
    pass("received", `the model received: ${received}`);
    await stage.ask("shell", "the answer was not verified", ({ state }) => state === "verified");
    pass("verified", `Parley read the same in ${stage.racing.title}'s own record: verified`);
    const times = timesIn(JSON.parse(await stage.run("show", id, "--json")) as Shown);
    return { ask: id, question: QUESTIONS.shell ?? "", answer: "Postgres", received, times };
  },
  async terminal(stage, pass) {
    const { id } = await asks(stage, "terminal", pass);
    if (stage.racing.pickThird) await stage.racing.pickThird(stage.lab.tmux);
    else for (const key of ["Down", "Down", "Enter"]) await stage.lab.tmux.keys(key);
    pass("answered", "option 3 is picked in the terminal");
    const received = await stage.received("terminal");
    const what = `Parley did not close ${shortId(id)} as answered elsewhere`;
    const { outcome } = await stage.ask("terminal", what, ({ state }) => state === "closed");
    if (outcome?.type !== "answered-elsewhere") throw new Error(`${what}, but as ${outcome?.type}`);
    pass("closed", `Parley closed ${shortId(id)}: answered elsewhere, in the terminal`);
    return { ask: id, question: QUESTIONS.terminal ?? "", answer: "DuckDB", received, times: {} };
  },
};

async function asks(stage: Stage, way: Way, pass: Pass): Promise<Found> {
  const question = QUESTIONS[way] ?? "";
  await stage.lab.prompt(`SCENARIO:${way}`);
  await stage.racing.waitForQuestion(stage.lab.tmux, question);
  const ask = await stage.ask(way, "the question did not reach Parley", ({ reachable }) => reachable);
  pass(
    "asked",
    `${stage.racing.title} asks “${question}”: its dialog is open, and it is ${shortId(ask.id)} in parley ls`,
  );
  return ask;
}

function stageOf(
  racing: Racing,
  lab: RacingLab,
  own: Awaited<ReturnType<typeof startParley>>,
  model: ScriptedModel,
  signal: AbortSignal,
): Stage {
  const run = async (...args: string[]) => {
    signal.throwIfAborted();
    const { code, out, err } = await own.run(args, { home: lab.home, cwd: lab.project });
    if (code !== 0) throw new Error(`parley ${args.join(" ")}: exit code ${code}: ${(err || out).trim()}`);
    return out;
  };
  return {
    racing,
    lab,
    run,
    received: async (way) => (await model.waitForToolResult(`call_${way}`, LOOK_MS)).text,
    ask: (way, what, ready) =>
      poll(
        async () => {
          const { asks: all } = JSON.parse(await run("ls", "--all", "--json")) as { asks: Found[] };
          return all.find((ask) => ask.questions[0]?.text === QUESTIONS[way] && ready(ask));
        },
        { timeoutMs: LOOK_MS, everyMs: 100, failure: () => what },
      ),
  };
}

function timesIn({ events }: Shown): Times {
  const at = (type: string) => events.find((event) => event.type === type)?.at;
  const [settled, sent, verified] = ["ask.settled", "ask.sent", "ask.verified"].map(at);
  if (settled === undefined) return {};
  return {
    ...(sent !== undefined && { toHook: sent - settled }),
    ...(verified !== undefined && { toTranscript: verified - settled }),
  };
}

async function versionOf(program: string, { versionIn, env }: Racing): Promise<string | undefined> {
  const child = Bun.spawn([program, "--version"], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 20_000,
    env: { ...process.env, ...env },
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return versionIn(out) ?? versionIn(err);
}
