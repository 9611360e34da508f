import type { LogEvent } from "../../src/core/ask/event.ts";
import { signal as send } from "../../src/lab/process-tree.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import type { FakeAgent } from "./agent.ts";
import { type ApiAsker, askOverApi, askOverCli, brokenPromises, type CliAsker } from "./asker.ts";
import { LABELS } from "./fake-record.ts";
import { openScene, type Scene } from "./scene.ts";
import type { Signal, Step, Target } from "./schedule.ts";
import { missedBy, subscribe } from "./subscriber.ts";
import { countsOf, type Counts, type Strikes } from "./tally.ts";
import { examine, type Findings } from "./truth.ts";

/** An agent's terminal: the agent of now, and what it does until it is idle again. */
type Seat = { agent: FakeAgent; idle: boolean };
type Dialog = { agent: FakeAgent; key: string; question: string };
export type Ended = { findings: Findings; counts: Counts };

/** Plays one schedule in a Parley of its own, lets everything come to its end, and says what is wrong. */
export async function play(steps: readonly Step[]): Promise<Ended> {
  await using scene = await openScene();
  const world = await createWorld(scene);
  for (const step of steps) await world.take(step);
  // Awaited here: the scene ends with this block.
  return await world.end();
}

const VERSIONS = ["2.1.325", "2.1.197", "2.1.325"];

async function createWorld(scene: Scene) {
  const { program } = scene;
  const agents = await Promise.all(VERSIONS.map((version) => scene.agent(version)));
  const seats: Seat[] = agents.map((agent) => ({ agent, idle: true }));
  const dialogs = new Set<Dialog>();
  const askers: (ApiAsker | CliAsker)[] = [];
  const running: Promise<unknown>[] = [];
  const strikes: Strikes = {};
  const traps: (Step & { do: "strike-at" })[] = [];
  /** The Asks that subscribers have heard of, by question; nobody asks the daemon for a list. */
  const known = new Map<string, string>();
  let names = 0;
  let over = false;
  const subscribers = [subscribe(program, "sse", hear), subscribe(program, "websocket", () => undefined)];

  function hear({ type, ask, session, data }: LogEvent): void {
    const text = (data["questions"] as { text: string }[] | undefined)?.[0]?.text;
    if (ask !== undefined && text !== undefined) known.set(text, ask);
    const trap = traps.findIndex(({ event }) => event === type);
    const [sprung] = trap < 0 ? [] : traps.splice(trap, 1);
    const seat = seats.findIndex(({ agent }) => agent.session === session);
    if (sprung) strike(sprung.target, sprung.signal, seat, sprung.forMs);
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case "ask":
        return ask(step);
      case "request":
        return request(step.through);
      case "answer":
        return answer(step);
      case "terminal": {
        const dialog = nth([...dialogs], step.which);
        return dialog && inTerminal(dialog, step.escape);
      }
      case "reconnect":
        return nth([...subscribers, ...askers], step.which)?.drop();
      case "strike":
        return strike(step.target, step.signal, step.which, step.forMs);
      case "strike-at":
        return void traps.push(step);
      case "wait":
        return Bun.sleep(step.ms);
    }
  }

  /** One turn: its questions at once, as in one message of the agent. A busy agent does not begin another. */
  function ask({ agent: which, questions, recordMs }: Step & { do: "ask" }): void {
    const seat = nth(seats, which);
    if (!seat?.idle) return;
    seat.idle = false;
    const turn = `turn ${names++}`;
    running.push(
      (async () => {
        if (seat.agent.isGone()) seat.agent = await scene.resume(seat.agent);
        const texts = Array.from({ length: questions }, () => `Question ${names++}?`);
        await Promise.all(texts.map((question) => live(seat.agent, { question, turn, recordMs })));
      })().finally(() => (seat.idle = true)),
    );
  }

  async function live(
    agent: FakeAgent,
    { question, turn, recordMs }: { question: string; turn: string; recordMs: number },
  ) {
    const key = agent.ask(question, { turn, recordMs });
    const mine = (entry: { key?: string }) => entry.key === key;
    if (!(await agent.heard("dialog", mine))) return;
    const dialog = { agent, key, question };
    dialogs.add(dialog);
    // Nobody waits for a hook that ended without a word: the person takes the dialog.
    const silent = agent.heard("output", (entry) => mine(entry) && entry.hook === "PermissionRequest");
    void silent.then(() => inTerminal(dialog, false));
    if (over) inTerminal(dialog, false);
    await agent.heard("done", mine);
    dialogs.delete(dialog);
  }

  function inTerminal({ agent, key }: Dialog, escape: boolean): void {
    if (escape) agent.escape(key);
    else agent.answer(key, LABELS[2]);
  }

  function request(through: "api" | "cli"): void {
    const question = `Request ${names++}?`;
    const asker = through === "api" ? askOverApi(program, question) : askOverCli(program, question);
    askers.push(asker);
    running.push(asker.over);
  }

  function answer({ which, label, through }: Step & { do: "answer" }): void {
    const waiting = [
      ...[...dialogs].map(({ question }) => question),
      ...askers.filter(({ received }) => received === undefined).map(({ question }) => question),
    ];
    const id = known.get(nth(waiting, which) ?? "");
    if (id === undefined) return;
    running.push(through === "api" ? scene.settle({ id }, label) : scene.settleByCommand({ id }, label));
  }

  function strike(target: Target, name: Signal, which: number, forMs: number): void {
    if (target === "daemon") {
      if (scene.strike(name, forMs)) count(name, target);
      return;
    }
    const agent = nth(seats, which)?.agent;
    const hooks = seats.flatMap((seat) => seat.agent.hooks());
    const pid = {
      agent: agent?.isGone() ? undefined : agent?.pid,
      hook: nth(hooks, which),
      asker: nth(
        askers.flatMap((asker) => ("pid" in asker ? [asker.pid] : [])),
        which,
      ),
    }[target];
    if (pid === undefined || !isAlive({ pid })) return;
    send(pid, name);
    if (name === "SIGSTOP") setTimeout(() => send(pid, "SIGCONT"), forMs);
    count(name, target);
  }

  function count(name: Signal, target: Target): void {
    strikes[`${name} ${target}`] = (strikes[`${name} ${target}`] ?? 0) + 1;
  }

  /** Everybody comes to an end by themselves; sessions that were killed come back and are told what was kept for them. */
  async function end(): Promise<Ended> {
    over = true;
    traps.length = 0;
    for (const dialog of dialogs) inTerminal(dialog, false);
    for (const asker of askers) running.push(answered(asker));
    await settled(running);
    for (const seat of seats) if (seat.agent.isGone()) seat.agent = await scene.resume(seat.agent);
    const { problems, quietAt, ...evidence } = await scene.remains((last) =>
      subscribers.every(({ seen }) => (seen.at(-1)?.seq ?? 0) >= last),
    );
    for (const subscriber of subscribers) subscriber.stop();
    const findings = examine(evidence);
    findings.untrue.push(
      ...problems,
      ...subscribers.flatMap((subscriber) => missedBy(subscriber, evidence.events, quietAt)),
    );
    for (const asker of askers) {
      const { lost, doubled, untrue } = brokenPromises(asker, evidence.asks);
      findings.lost.push(...lost);
      findings.doubled.push(...doubled);
      findings.untrue.push(...untrue);
    }
    return { findings, counts: countsOf(strikes, evidence) };
  }

  /** A command nobody has answered yet is killed, and its question stays open. */
  async function answered(asker: ApiAsker | CliAsker): Promise<void> {
    if ("pid" in asker) return send(asker.pid, "SIGKILL");
    await scene.settle({ id: await asker.asked }, "Option A");
  }

  return { take, end };
}

/** All of them come to their end before one that failed is told: nothing of a run may go on after it. */
async function settled(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

const nth = <T>(list: readonly T[], which: number): T | undefined => list[which % list.length];
