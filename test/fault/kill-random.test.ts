import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { signal } from "../../src/lab/process-tree.ts";
import type { FakeAgent } from "./agent.ts";
import { openScene, type Scene, type Tally } from "./scene.ts";
import { DECLINED } from "./truth.ts";

/** A failure names its seed: FAULT_SEED=<seed> plays the same plans again, FAULT_RUNS=<n> plays more of them. */
const seed = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 31);
const numRuns = Number(process.env["FAULT_RUNS"] ?? 8);

const Question = fc.record({
  /** Who answers: people through the API, the person at the terminal, or all at the same time. */
  by: fc.constantFrom("api", "terminal", "everybody", "two", "decliner", "escape"),
  thinkMs: fc.nat(300),
  recordMs: fc.integer({ min: 100, max: 200 }),
});
type Question = typeof Question extends fc.Arbitrary<infer T> ? T : never;
const Plan = fc.record({
  /** Each agent asks turn after turn; the questions of one turn at once. */
  agents: fc.array(
    fc.record({
      version: fc.constantFrom("2.1.325", "2.1.197"),
      turns: fc.array(fc.array(Question, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 3 },
  ),
  kills: fc.array(
    fc.record({
      who: fc.oneof(
        { weight: 6, arbitrary: fc.constant("daemon" as const) },
        { weight: 1, arbitrary: fc.constant("hook" as const) },
        { weight: 1, arbitrary: fc.constant("agent" as const) },
      ),
      afterMs: fc.nat(350),
      which: fc.nat(),
    }),
    { minLength: 4, maxLength: 9 },
  ),
});
type Plan = typeof Plan extends fc.Arbitrary<infer T> ? T : never;

test(
  "[Z12] whatever is killed whenever, nothing is lost, doubled or untrue",
  async () => {
    const sum = { runs: 0, kills: 0, asks: 0, answers: 0, unseen: 0, lost: 0, doubled: 0, untrue: 0 };
    await fc.assert(
      fc.asyncProperty(Plan, async (plan) => {
        const { lost, doubled, untrue, ...counts } = await play(plan);
        const add = { runs: 1, ...counts, lost: lost.length, doubled: doubled.length, untrue: untrue.length };
        for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += add[name];
        expect({ lost, doubled, untrue }, JSON.stringify(sum)).toEqual({ lost: [], doubled: [], untrue: [] });
      }),
      { seed, numRuns, endOnFailure: true },
    );
    // It has really killed, asked and answered.
    expect(Math.min(sum.kills, sum.asks, sum.answers), JSON.stringify(sum)).toBeGreaterThan(numRuns / 2);
  },
  numRuns * 60_000,
);

async function play({ agents, kills }: Plan): Promise<Tally> {
  await using scene = await openScene();
  const cast = await Promise.all(agents.map(({ version }) => scene.agent(version)));
  const stories = Promise.all(cast.map((agent, i) => live(scene, agent, agents[i]?.turns ?? [])));
  let over = false;
  let others = 0;
  const killing = (async () => {
    for (const { who, afterMs, which } of kills) {
      await Bun.sleep(afterMs);
      if (over) return;
      kill(who, which);
    }
  })();
  await stories.finally(() => (over = true));
  await killing;
  // Sessions that were killed come back and are told what was kept for them.
  for (const agent of cast) if (agent.isGone()) await scene.resume(agent);
  const tally = await scene.conclude();
  return { ...tally, kills: tally.kills + others };

  function kill(who: "daemon" | "hook" | "agent", which: number): void {
    const agent = cast[which % cast.length];
    if (who === "daemon" || !agent || agent.isGone()) return void scene.strike();
    const hooks = agent.hooks();
    const pid = who === "agent" ? agent.pid : hooks[which % hooks.length];
    if (pid === undefined) return;
    others++;
    signal(pid, "SIGKILL");
  }
}

async function live(scene: Scene, agent: FakeAgent, turns: Question[][]): Promise<void> {
  for (const [t, questions] of turns.entries()) {
    const turn = `${agent.session} ${t}`;
    await Promise.all(questions.map((question, q) => answer(scene, agent, turn, `${turn} ${q}?`, question)));
  }
}

async function answer(scene: Scene, agent: FakeAgent, turn: string, text: string, plan: Question): Promise<void> {
  const { by, thinkMs, recordMs } = plan;
  const key = agent.ask(text, { turn, recordMs });
  const mine = (entry: { key?: string }) => entry.key === key;
  const dialog = await agent.heard("dialog", mine);
  if (!dialog) return;
  let ended = false;
  const done = agent.heard("done", mine).then(() => (ended = true));
  const people: Promise<unknown>[] = [done];
  const inTerminal = () => (by === "escape" ? agent.escape(key) : agent.answer(key, "Option C"));
  // Nobody waits for a hook that ended without a word: the person takes the dialog.
  const silent = agent.heard("output", (entry) => mine(entry) && entry.hook === "PermissionRequest");
  void silent.then(inTerminal, () => undefined);
  await Bun.sleep(thinkMs);
  const throughApi = async (label: string) => {
    for (;;) {
      const ask = await scene.find(text);
      if (ask) return scene.settle(ask, label);
      if (ended) return false;
    }
  };
  if (by === "terminal" || by === "escape" || by === "everybody") inTerminal();
  if (by === "api" || by === "two" || by === "everybody") people.push(throughApi("Option A"));
  if (by === "two") people.push(throughApi("Option B"));
  if (by === "decliner") people.push(throughApi(DECLINED));
  await Promise.all(people);
}
