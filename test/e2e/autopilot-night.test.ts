import { afterEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Client, createClient } from "../../src/client/client.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { COMMAND, createProgram, type Program } from "./program.ts";

const SESSIONS = 40;
const WATCHES = 5;
const HOUR = 3_600_000;
const UNDO_S = 1;
/** What is asked, and who alone may settle it besides the agent's end. */
const KINDS = {
  rule: { header: "Proceed", question: "Shall I proceed?", labels: ["Yes", "No"] },
  brain: { header: "Think", question: "Which way?", labels: ["Left", "Right"] },
  junk: { header: "Junk", question: "Which colour?", labels: ["Blue", "Green"] },
  nobody: { header: "Nobody", question: "Which layout?", labels: ["Grid", "List"] },
  stakes: { header: "Risk", question: "Delete the production database?", labels: ["Delete it", "Leave it"] },
  never: { header: "Never", question: "Which name?", labels: ["Ann", "Bob"] },
} as const;
type Kind = keyof typeof KINDS;
const MIX: readonly Kind[] = ["rule", "rule", "rule", "brain", "brain", "junk", "nobody", "nobody", "stakes", "never"];
const CONFIG = (root: string) => `
[autopilot]
mode = "on"
undo_seconds = ${UNDO_S}
budget_per_session = 0
budget_per_hour = 0
escalate_after_seconds = ${3 * 3600}
after_escalation = "expire"
${[
  `name = "go"\nmatch = { header = "Proceed" }\nchoose = "affirmative"`,
  `name = "think"\nmatch = { header = "Think" }\nbrain = "good"`,
  `name = "junk"\nmatch = { header = "Junk" }\nbrain = "bad"`,
  `name = "risk"\nmatch = { header = "Risk" }\nchoose = { label = "Leave it" }`,
  `name = "no"\nmatch = { header = "Never" }\nact = "never-auto"`,
]
  .map((rule) => `[[autopilot.rules]]\n${rule}`)
  .join("\n")}
[autopilot.brains.good]
type = "command"
command = ["${root}/good.sh"]
[autopilot.brains.bad]
type = "command"
command = ["${root}/bad.sh"]
`;

type Asked = { kind: Kind; received: Outcome[] };
type Agent = { session: string; process: Bun.Subprocess; asked: Map<string, Asked>; isAlive: boolean };

let program: Program;
let daemon: Bun.Subprocess | undefined;
let agents: Agent[] = [];
afterEach(async () => {
  for (const { process } of agents) process.kill("SIGKILL");
  daemon?.kill("SIGTERM");
  await daemon?.exited;
  await program.dispose();
});

test("[AU50] a night of 40 sessions and 400 questions, with kills of daemon and agents: each ends in exactly one truthful state", async () => {
  program = createProgram();
  prepare();
  await startDaemon();
  const [agent, person] = [
    createClient(program.paths, { as: "agent", wakes: false }),
    createClient(program.paths, { wakes: false }),
  ];
  const random = seeded(8);
  agents = Array.from({ length: SESSIONS }, (_, i) => ({
    session: `night-${i}`,
    process: Bun.spawn(["sleep", "600"], { stdio: ["ignore", "ignore", "ignore"] }),
    asked: new Map(),
    isAlive: true,
  }));
  const night = { over: false };
  const receiving = agents.map((each) => receive(each, agent, night));
  const undone = new Set<string>();

  for (let watch = 0; watch < WATCHES; watch++) {
    setClock(watch * 2 * HOUR);
    await Promise.all(agents.map((each, i) => Promise.all([0, 1].map((n) => ask(each, i, watch * 2 + n, agent)))));
    // A person is awake now and then.
    for (const id of somebodysOpen(random, 3)) if (await takesBack(id, person)) undone.add(id);
    for (const id of somebodysOpen(random, 3)) await answers(id, person);
    await killDaemon();
    const [gone] = agents.filter(({ isAlive }) => isAlive).slice(Math.floor(random() * 20));
    if (gone) {
      gone.isAlive = false;
      gone.process.kill("SIGKILL");
      await gone.process.exited;
    }
    await startDaemon();
    expect(await comes(async () => (await open(person)).every((each) => isResting(each)))).toBe(true);
  }
  setClock(8 * HOUR + 4 * HOUR);
  // What only a person may answer, or nobody looked at, is there in the morning.
  expect(await comes(async () => (await open(person)).every(({ id }) => isForPerson(id, undone)))).toBe(true);
  for (const { id } of await open(person)) await answers(id, person);
  expect(
    await comes(() =>
      agents.every((each) => !each.isAlive || [...each.asked.values()].every(({ received }) => received.length > 0)),
    ),
  ).toBe(true);
  night.over = true;
  await Promise.all(receiving);

  const counts: Record<string, number> = {};
  for (const each of agents)
    for (const [id, { kind, received }] of each.asked) {
      const found = await truthOf(id, person);
      const { outcome } = found.ask;
      if (!outcome) throw new Error(`${id} is open`);
      const by = outcome.actor.type === "system" ? outcome.type : outcome.actor.type;
      counts[`${kind} ${by}`] = (counts[`${kind} ${by}`] ?? 0) + 1;
      expect(found.settlements).toBe(1);
      expect(received.length).toBeLessThanOrEqual(1);
      if (received[0]) expect(received[0]).toEqual(outcome);
      if (each.isAlive) expect(received).toHaveLength(1);
      if (by === "withdrawn") expect(each.isAlive).toBe(false);
      expect(ALLOWED[kind]).toContain(by);
      if (undone.has(id)) expect(["person", "withdrawn", "expired"]).toContain(by);
      if (by === "rule" || by === "brain") expect(outcome.at).toBeGreaterThanOrEqual(found.due);
    }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(total).toBe(SESSIONS * WATCHES * 2);
  expect(counts["rule rule"]).toBeGreaterThan(80);
  expect(counts["brain brain"]).toBeGreaterThan(40);
  expect(counts["nobody expired"]).toBeGreaterThan(20);
}, 400_000);

const ALLOWED: Record<Kind, readonly string[]> = {
  rule: ["rule", "person", "withdrawn", "expired"],
  brain: ["brain", "person", "withdrawn", "expired"],
  junk: ["person", "expired", "withdrawn"],
  nobody: ["person", "expired", "withdrawn"],
  stakes: ["person", "withdrawn"],
  never: ["person", "withdrawn"],
};
const isForPerson = (id: string, undone: ReadonlySet<string>) => {
  const asked = agents.map((each) => each.asked.get(id)).find((found) => found !== undefined);
  return asked?.kind === "stakes" || asked?.kind === "never" || undone.has(id);
};
/** Nothing more happens to it by itself but with time. */
const isResting = ({ autopilot }: AskView) => ["human", "suggested", "undone"].includes(autopilot?.state ?? "");

function prepare(): void {
  const { root, home, user } = program;
  const file = join(user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, CONFIG(root));
  const reply = { actions: [{ action: "select", optionIndex: 1, label: "Right" }], reason: "it is shorter" };
  writeFileSync(join(root, "good.sh"), `#!/bin/sh\ncat > /dev/null\necho '${JSON.stringify(reply)}'\n`);
  writeFileSync(join(root, "bad.sh"), `#!/bin/sh\ncat > /dev/null\necho 'no idea'\n`);
  const [bun = "", ...rest] = COMMAND;
  const command = [bun, `--preload=${join(import.meta.dir, "../fault/shifted-clock.ts")}`, ...rest].map(
    (part) => `'${part}'`,
  );
  writeFileSync(join(root, "parley"), `#!/bin/sh\nPARLEY_HOME='${home}' exec ${command.join(" ")} "$@"\n`);
  for (const name of ["good.sh", "bad.sh", "parley"]) chmodSync(join(root, name), 0o700);
}

async function startDaemon(): Promise<void> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_PORT: "0" };
  daemon = Bun.spawn([join(program.root, "parley"), "serve"], {
    cwd: program.user,
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const client = createClient(program.paths, { wakes: false });
  expect(
    await comes(() =>
      client.call("health").then(
        () => true,
        () => false,
      ),
    ),
  ).toBe(true);
}

async function killDaemon(): Promise<void> {
  daemon?.kill("SIGKILL");
  await daemon?.exited;
}

const setClock = (ms: number) => writeFileSync(join(program.root, "clock"), String(ms));

/** Asks until the daemon has it; the key makes it one question however often it was sent. */
async function ask(
  { session, process: { pid }, asked }: Agent,
  index: number,
  n: number,
  client: Client,
): Promise<void> {
  const kind = MIX[(index + n) % MIX.length] ?? "rule";
  const { header, question, labels } = KINDS[kind];
  const options = labels.map((label) => ({ label, description: `${label}, that is` }));
  const body = {
    questions: [{ question, header, multiSelect: false, options }],
    origin: { agent: "script", session, project: session, process: { pid } },
  };
  const { id } = await untilItAnswers(() => client.call("createAsk", { body, idempotencyKey: `${session} ${n}` }));
  asked.set(id, { kind, received: [] });
}

/** An agent takes its answers as they come, also from the next daemon. */
async function receive(agent: Agent, client: Client, night: { over: boolean }): Promise<void> {
  for (; agent.isAlive && !night.over; await Bun.sleep(400))
    for (const [id, { received }] of agent.asked)
      if (agent.isAlive && received.length === 0) {
        const taken = await client.call("receiveAnswer", { id }).catch(() => undefined);
        if (taken?.outcome) received.push(taken.outcome);
      }
}

function somebodysOpen(random: () => number, count: number): string[] {
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

async function untilItAnswers<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries === 200) throw error;
      await Bun.sleep(100);
    }
}

/** Four hundred questions on a busy machine take their time. */
async function comes(look: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + 90_000; performance.now() < until; await Bun.sleep(50))
    if (await look()) return true;
  return false;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
