import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Client, createClient } from "../../src/client/client.ts";
import type { Outcome } from "../../src/core/ask/outcome.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { setClock } from "../fault/shifted-program.ts";
import { eventually } from "../patience.ts";
import { BUN_COMMAND, createProgram, holds, type Program } from "./program.ts";

const HOUR = 3_600_000;
const UNDO_S = 1;
/** What is asked, and who alone may settle it besides the agent's end. */
const KINDS = {
  rule: { header: "Proceed", question: "Shall I proceed?", labels: ["Yes", "No"] },
  brain: { header: "Think", question: "Which way?", labels: ["Left", "Right"] },
  junk: { header: "Odd", question: "Which colour?", labels: ["Blue", "Green"] },
  nobody: { header: "Nobody", question: "Which layout?", labels: ["Grid", "List"] },
  stakes: { header: "Risk", question: "Delete the production database?", labels: ["Delete it", "Leave it"] },
  never: { header: "Never", question: "Which name?", labels: ["Ann", "Bob"] },
} as const;
type Kind = keyof typeof KINDS;
const MIX: readonly Kind[] = ["rule", "rule", "rule", "brain", "brain", "junk", "nobody", "nobody", "stakes", "never"];
const CONFIG = (root: string) => `
[autopilot]
mode = "on"
trust.per_rule = 0
undo_seconds = ${UNDO_S}
budget_per_session = 0
budget_per_hour = 0
escalate_after_seconds = ${3 * 3600}
after_escalation = "expire"
${[
  `name = "go"\nmatch = { header = "Proceed" }\nchoose = "affirmative"`,
  `name = "think"\nmatch = { header = "Think" }\nbrain = "good"`,
  `name = "junk"\nmatch = { header = "Odd" }\nbrain = "bad"`,
  `name = "risk"\nmatch = { header = "Risk" }\nchoose = { label = "Leave it" }`,
  `name = "no"\nmatch = { header = "Never" }\nact = "never-auto"`,
]
  .map((rule) => `[[autopilot.rules]]\n${rule}`)
  .join("\n")}
[autopilot.brains.good]
type = "command"
command = ["${root}/good.sh", "first"]
second = "other"
[autopilot.brains.other]
type = "command"
command = ["${root}/good.sh", "second"]
[autopilot.brains.bad]
type = "command"
command = ["${root}/bad.sh"]
`;

type Asked = { kind: Kind; received: Outcome[] };
type Agent = { session: string; process: Bun.Subprocess; asked: Map<string, Asked>; isAlive: boolean };

type Night = { program: Program; agents: Agent[]; daemon?: Bun.Subprocess; over: boolean };
export type NightPlan = {
  sessions: number;
  /** Each has two questions of every session, a kill of the daemon and one of an agent. */
  watches: number;
  seed: number;
};
/** How many of each kind ended by whom, and what is not as it must be. */
export type NightReport = { counts: Record<string, number>; wrong: string[] };

/** A night in which nobody is there most of the time: each question ends in exactly one truthful state. */
export async function playNight({ sessions, watches, seed }: NightPlan): Promise<NightReport> {
  const program = createProgram();
  const night: Night = { program, agents: [], over: false };
  try {
    return await play(night, { sessions, watches, seed });
  } finally {
    night.over = true;
    for (const { process } of night.agents) process.kill("SIGKILL");
    night.daemon?.kill("SIGTERM");
    await night.daemon?.exited;
    await program.dispose();
  }
}

async function play(night: Night, { sessions, watches, seed }: NightPlan): Promise<NightReport> {
  const { program } = night;
  prepare(program);
  await runDaemon(night);
  const [agent, person] = [
    createClient(program.paths, { as: "agent", wakes: false }),
    createClient(program.paths, { wakes: false }),
  ];
  const random = seeded(seed);
  const agents: Agent[] = Array.from({ length: sessions }, (_, i) => ({
    session: `night-${i}`,
    process: Bun.spawn(["sleep", "86400"], { stdio: ["ignore", "ignore", "ignore"] }),
    asked: new Map(),
    isAlive: true,
  }));
  night.agents = agents;
  // What a brain can rest on: each project's person has answered this once.
  for (const { session } of agents) await answerOnce(session, agent, person);
  const receiving = agents.map((each) => receive(each, agent, night));
  const undone = new Set<string>();

  for (let watch = 0; watch < watches; watch++) {
    setClock(program, watch * 2 * HOUR);
    await Promise.all(agents.map((each, i) => Promise.all([0, 1].map((n) => ask(each, i, watch * 2 + n, agent)))));
    // A person is awake now and then.
    for (const id of somebodysOpen(agents, random, 3)) if (await takesBack(id, person)) undone.add(id);
    for (const id of somebodysOpen(agents, random, 3)) await answers(id, person);
    night.daemon?.kill("SIGKILL");
    await night.daemon?.exited;
    const alive = agents.filter(({ isAlive }) => isAlive);
    const gone = alive[Math.floor(random() * alive.length)];
    if (gone) {
      gone.isAlive = false;
      gone.process.kill("SIGKILL");
      await gone.process.exited;
    }
    await runDaemon(night);
    await mustBecome("every question waits for a person or for time", async () =>
      (await open(person)).every((each) => isResting(each)),
    );
  }
  setClock(program, (watches - 1) * 2 * HOUR + 4 * HOUR);
  const isForPerson = (id: string) => ["stakes", "never"].includes(kindOf(agents, id) ?? "") || undone.has(id);
  await mustBecome("in the morning there is only what a person alone may answer", async () =>
    (await open(person)).every(({ id }) => isForPerson(id)),
  );
  for (const { id } of await open(person)) await answers(id, person);
  await mustBecome("every living agent has its answers", () =>
    agents.every((each) => !each.isAlive || [...each.asked.values()].every(({ received }) => received.length > 0)),
  );
  night.over = true;
  await Promise.all(receiving);
  return judge(agents, undone, person);
}

async function judge(agents: Agent[], undone: ReadonlySet<string>, person: Client): Promise<NightReport> {
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (const each of agents)
    for (const [id, { kind, received }] of each.asked) {
      const { ask, settlements, due } = await truthOf(id, person);
      const { outcome } = ask;
      const by = outcome?.actor.type === "system" ? outcome.type : (outcome?.actor.type ?? "nobody");
      counts[`${kind} ${by}`] = (counts[`${kind} ${by}`] ?? 0) + 1;
      const [got, ...more] = received;
      const must: Record<string, boolean> = {
        "is settled once": settlements === 1,
        "is received at most once": more.length === 0,
        "is received as it was settled": got === undefined || Bun.deepEquals(got, outcome),
        "is received by a living agent": !each.isAlive || got !== undefined,
        "is withdrawn only from a dead agent": by !== "withdrawn" || !each.isAlive,
        "is settled by one who may": ALLOWED[kind].includes(by),
        "taken back, is left to the person": !undone.has(id) || ["person", "withdrawn", "expired"].includes(by),
        "is not settled before it is due": !(by === "rule" || by === "brain") || (outcome?.at ?? 0) >= due,
      };
      for (const [what, isSo] of Object.entries(must)) if (!isSo) wrong.push(`${id} (${kind}, by ${by}): not: ${what}`);
    }
  return { counts, wrong };
}

const ALLOWED: Record<Kind, readonly string[]> = {
  rule: ["rule", "person", "withdrawn", "expired"],
  brain: ["brain", "person", "withdrawn", "expired"],
  junk: ["person", "expired", "withdrawn"],
  nobody: ["person", "expired", "withdrawn"],
  stakes: ["person", "withdrawn"],
  never: ["person", "withdrawn"],
};
const kindOf = (agents: readonly Agent[], id: string) =>
  agents.map((each) => each.asked.get(id)?.kind).find((kind) => kind !== undefined);
/** Nothing more happens to it by itself but with time. */
const isResting = ({ autopilot }: AskView) => ["human", "suggested", "undone"].includes(autopilot?.state ?? "");

function prepare({ root, home, user }: Program): void {
  const file = join(user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, CONFIG(root));
  const decide = join(import.meta.dirname, "verdict-reply.ts");
  writeFileSync(join(root, "good.sh"), `#!/bin/sh\nexec ${process.execPath} ${decide} Right\n`);
  writeFileSync(join(root, "bad.sh"), `#!/bin/sh\ncat > /dev/null\necho 'no idea'\n`);
  const [bun = "", ...rest] = BUN_COMMAND;
  const command = [bun, `--preload=${join(import.meta.dir, "../fault/shifted-clock.ts")}`, ...rest].map(
    (part) => `'${part}'`,
  );
  writeFileSync(join(root, "parley"), `#!/bin/sh\nPARLEY_HOME='${home}' exec ${command.join(" ")} "$@"\n`);
  for (const name of ["good.sh", "bad.sh", "parley"]) chmodSync(join(root, name), 0o700);
}

async function runDaemon(night: Night): Promise<void> {
  const { program } = night;
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_PORT: "0" };
  night.daemon = Bun.spawn([join(program.root, "parley"), "serve"], {
    cwd: program.user,
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const client = createClient(program.paths, { wakes: false });
  await mustBecome("the daemon answers", () =>
    client.call("health").then(
      () => true,
      () => false,
    ),
  );
}

/** Asks until the daemon has it; the key makes it one question however often it was sent. */
async function ask(
  { session, process: { pid }, asked }: Agent,
  index: number,
  n: number,
  client: Client,
): Promise<void> {
  const kind = MIX[(index + n) % MIX.length] ?? "rule";
  const { header, question, labels } = KINDS[kind];
  const options = labels.map((label) => ({ label, description: `What ${label} means` }));
  const body = {
    questions: [{ question, header, multiSelect: false, options }],
    origin: { agent: "script", session, project: session, process: { pid } },
  };
  const { id } = await eventually(() => client.call("createAsk", { body, idempotencyKey: `${session} ${n}` }));
  asked.set(id, { kind, received: [] });
}

async function answerOnce(project: string, agent: Client, person: Client): Promise<void> {
  const { question, labels } = KINDS.brain;
  const options = labels.map((label) => ({ label, description: `What ${label} means` }));
  const questions = [{ question, header: "Before", multiSelect: false, options }];
  const { id } = await agent.call("createAsk", { body: { questions, origin: { agent: "script", project } } });
  await person.call("settleAsk", { id, body: { action: "answer", answers: [{ picks: [1] }] } });
}

/** An agent takes its answers as they come, also from the next daemon. */
async function receive(agent: Agent, client: Client, night: Night): Promise<void> {
  for (; agent.isAlive && !night.over; await Bun.sleep(400))
    for (const [id, { received }] of agent.asked)
      if (agent.isAlive && received.length === 0) {
        const taken = await client.call("receiveAnswer", { id }).catch(() => undefined);
        if (taken?.outcome) received.push(taken.outcome);
      }
}

function somebodysOpen(agents: readonly Agent[], random: () => number, count: number): string[] {
  const all = agents.flatMap(({ asked }) =>
    [...asked].filter(([, { received }]) => received.length === 0).map(([id]) => id),
  );
  return Array.from({ length: count }, () => all[Math.floor(random() * all.length)] ?? "").filter(Boolean);
}

const takesBack = (id: string, client: Client) =>
  client.call("undoAutopilot", { id, body: {} }).then(
    () => true,
    () => false,
  );
const answers = (id: string, client: Client) =>
  client.call("settleAsk", { id, body: { action: "answer", answers: [{ picks: [0] }] } }).catch(() => undefined);
const open = async (client: Client) =>
  (await client.call("listAsks", { query: { state: "open", limit: 500 } }).catch(() => ({ asks: [] }))).asks;

async function truthOf(id: string, client: Client) {
  const ask = await client.call("getAsk", { id });
  const { events } = await client.call("readLog", { query: { ask: id, limit: 1000 } });
  const settlements = events.filter(({ type }) => ["ask.settled", "ask.closed"].includes(type)).length;
  const due = Number(events.findLast(({ data }) => data["state"] === "held")?.data["due"]);
  return { ask, settlements, due };
}

async function mustBecome(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await holds(look))) throw new Error(`it did not become so: ${what}`);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
