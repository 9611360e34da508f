import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameProcess } from "../../src/machine/process/process.ts";
import { ADDRESSES } from "../../src/protocol/address.ts";
import { COMMANDS_OF_A_PERSON, isForAgents, WHO_MAY, type Changing } from "../../src/protocol/who-may.ts";
import { type StandIn, startAgent } from "../e2e/agent-stage.ts";
import { CALLS } from "../e2e/api-calls.ts";
import { question } from "../e2e/api-request.ts";
import type { Order } from "../e2e/inside-agent.ts";
import { ask as askHeld } from "../e2e/cli-asker.ts";
import { COMMAND, createProgram, holds, type Program } from "../e2e/program.ts";

let program: Program;
let agent: StandIn;
let id: string;
beforeAll(async () => {
  program = createProgram();
  await program.start();
  agent = startAgent(program, "session-a");
  ({ id } = await program.client().call("createAsk", { body: { questions: [question()] } }));
});
afterAll(async () => {
  await agent.ends();
  await program.dispose();
});

const nested = (order: Order): Order => ({ nested: order });
const told = (sentence: string) => `${sentence}; this comes from inside an agent's session`;
const FOR_PEOPLE = (Object.keys(WHO_MAY) as Changing[]).filter((name) => !isForAgents(WHO_MAY[name]));

test("[OX1] every endpoint that may change something says who may", () => {
  const changing = Object.entries(ADDRESSES).filter(([, { method }]) => method !== "GET");
  expect(Object.keys(WHO_MAY).toSorted()).toEqual(changing.map(([name]) => name).toSorted());
});

test.each(FOR_PEOPLE)(
  "[OX2] %s is refused from an agent's process, and from an agent that it started",
  async (name) => {
    const input = { id, ...("body" in CALLS[name] && { body: CALLS[name].body }) };
    for (const order of [{ call: name, input }, nested({ call: name, input })])
      expect(await agent.does(order)).toEqual({ code: "forbidden", out: "", err: told(WHO_MAY[name]) });
  },
);

/** What a person types, and what only they may type. */
const TYPED: [string[], string][] = [
  [["task", "done", "t"], WHO_MAY.taskDone],
  [["task", "cancel", "t"], WHO_MAY.taskCancel],
  [["task", "retry", "t"], WHO_MAY.taskRetry],
  [["task", "rm", "t"], WHO_MAY.taskRemove],
  [["task", "apply", "t"], WHO_MAY.taskApply],
  [["prune", "--days", "0"], WHO_MAY.prune],
  [["open", "--print"], WHO_MAY.openPage],
  [["watch", "%0", "--server", "/nowhere", "--stop"], WHO_MAY.unwatchPane],
  [["config", "set", "log.level", "debug"], COMMANDS_OF_A_PERSON["config-set"]],
  [["autopilot", "on"], COMMANDS_OF_A_PERSON["config-set"]],
  [["container", "dev"], COMMANDS_OF_A_PERSON.container],
  [["down"], COMMANDS_OF_A_PERSON.down],
  [["down", "--force"], COMMANDS_OF_A_PERSON.down],
  [["hub"], COMMANDS_OF_A_PERSON.hub],
  [["hub", "token", "--member", "Me", "--role", "admin"], COMMANDS_OF_A_PERSON.hub],
  [["answer", "k3x", "1", "--hub"], COMMANDS_OF_A_PERSON["hub-answer"]],
  [["run", "x", "--hub", "--machine", "m", "--project", "p"], COMMANDS_OF_A_PERSON["hub-task"]],
  [["tasks", "--hub", "--take-back", "k3x"], COMMANDS_OF_A_PERSON["hub-task"]],
  [["restart"], COMMANDS_OF_A_PERSON.restart],
  [["restore", "backup.db", "--stop"], COMMANDS_OF_A_PERSON.restore],
  [["serve"], COMMANDS_OF_A_PERSON.serve],
  [["uninstall", "--yes", "--state"], COMMANDS_OF_A_PERSON.uninstall],
  [["service", "install", "--yes"], COMMANDS_OF_A_PERSON.service],
  [["service", "remove", "--yes"], COMMANDS_OF_A_PERSON.service],
  [["upgrade", "--yes"], COMMANDS_OF_A_PERSON.upgrade],
  [["setup", "claude-code", "--yes"], COMMANDS_OF_A_PERSON.setup],
  [["setup", "claude-code", "--remove", "--yes"], COMMANDS_OF_A_PERSON.setup],
];
test.each(TYPED)(
  "[OX3] parley %j is refused inside an agent's session with nothing set that says so",
  async (run, why) => {
    for (const order of [{ run }, nested({ run })])
      expect(await agent.does(order)).toEqual({ code: 77, out: "", err: `✗ ${told(why)}\n` });
    expect((await program.client().call("status")).pid).toBe(program.registration().process.pid);
  },
);

test("[OX4] an agent inside the session that asked does not answer it, nor decide anything a person decides", async () => {
  const body = { questions: [question()], origin: { agent: "script", session: agent.session } };
  const { id: own } = await program.client("agent").call("createAsk", { body });
  for (const order of [{ run: ["answer", own, "1"] }, nested({ run: ["answer", own, "1"] })]) {
    const { code, err } = await agent.does(order);
    expect([code, err]).toEqual([77, "✗ An agent may not answer its own question: this is the session that asked\n"]);
  }
  const snoozed = await agent.does({ run: ["snooze", own, "1d"] });
  expect([snoozed.code, snoozed.err]).toEqual([77, `✗ ${told(WHO_MAY.snoozeAsk)}\n`]);
  expect((await program.client().call("getAsk", { id: own })).state).toBe("open");
});

test("[OX5] what an agent may do is recorded as that agent's, with the agents around it", async () => {
  const other = await askHeld(program);
  const answered = agent.does(
    nested({ run: ["answer", other.id, "1"], env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "inner" } }),
  );
  await other.takes();
  expect((await answered).code).toBe(0);
  const { outcome } = await program.client().call("getAsk", { id: other.id });
  expect(outcome?.actor).toEqual({ type: "agent", surface: "cli", session: "inner", around: [agent.session] });
  const asked = await agent.does({ run: ["ask", "Deploy?", "-o", "Yes", "-o", "No", "--no-wait"] });
  const made = await program.client().call("getAsk", { id: asked.out.trim() });
  expect(made.origin.inside).toBe(agent.session);
});

test("[OX25] an agent that calls itself another session when it asks does not answer that question either", async () => {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "somebody-else" };
  const asked = await agent.does({ run: ["ask", "Ship it?", "-o", "Yes", "-o", "No", "--no-wait"], env });
  const made = await program.client().call("getAsk", { id: asked.out.trim() });
  expect(made.origin.inside).toBe(agent.session);
  const { code, err } = await agent.does({ run: ["answer", made.id, "1"] });
  expect([code, err.includes("may not answer")]).toEqual([77, true]);
  expect((await program.client().call("getAsk", { id: made.id })).state).toBe("open");
});

test("[OX6] an agent pauses the autopilot, and does not resume it", async () => {
  expect((await agent.does({ run: ["autopilot", "pause"] })).code).toBe(0);
  for (const order of [{ run: ["autopilot", "resume"] }, nested({ run: ["autopilot", "resume"] })])
    expect(await agent.does(order)).toEqual({ code: 77, out: "", err: "✗ Only a person may resume the autopilot\n" });
  expect((await program.parley(["autopilot", "resume"])).code).toBe(0);
});

test("[OX7] a person is not taken for the agent that runs in their terminal, or whose hook they start by hand", async () => {
  const payload = { session_id: "by-hand", hook_event_name: "SessionStart", source: "startup", cwd: program.user };
  expect((await program.parley(["hook", "SessionStart"], { stdin: JSON.stringify(payload) })).code).toBe(0);
  expect(await program.client().call("caller")).toEqual({ type: "person", sessions: [] });
  const { id: open } = await program.client().call("createAsk", { body: { questions: [question()] } });
  expect((await program.parley(["snooze", open, "1d"])).code).toBe(0);
});

test("[OX8] no hook takes a session's process back: not its end, not another process, not another session", async () => {
  for (const [more, parent] of [
    [{ hook_event_name: "SessionEnd", reason: "other" }, undefined],
    [{ hook_event_name: "SessionStart", source: "startup" }, "1"],
    [{ hook_event_name: "SessionStart", source: "startup", session_id: "invented" }, undefined],
  ] as const) {
    const payload = { session_id: agent.session, cwd: program.user, ...more };
    const env = {
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: payload.session_id,
      ...(parent && { PARLEY_PARENT: parent }),
    };
    await agent.does({ run: ["hook", more.hook_event_name], env, stdin: JSON.stringify(payload) });
    expect((await agent.does({ run: ["task", "done", "t"] })).code).toBe(77);
  }
});

test.each([70, 300])("[OX26] %i shells deep an agent is still one", async (deep) => {
  const { code, err } = await agent.does({ run: ["open", "--print"], deep });
  expect([code, err]).toEqual([77, `✗ ${told(WHO_MAY.openPage)}\n`]);
  expect((await agent.does({ run: ["config", "set", "log.level", "debug"], deep })).code).toBe(77);
});

test("[OX27] an agent that calls itself many sessions is not forgotten as the one it is", async () => {
  const many = startAgent(program, "session-many");
  for (let i = 0; i < 30; i++) {
    const session_id = `invented-${i}`;
    const payload = { session_id, hook_event_name: "SessionStart", source: "startup", cwd: program.user };
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session_id };
    await many.does({ run: ["hook", "SessionStart"], env, stdin: JSON.stringify(payload) });
  }
  const known = (JSON.parse(readFileSync(program.paths.agents, "utf8")) as { pid: number; session: string }[])
    .filter(({ pid }) => pid === many.pid)
    .map(({ session }) => session);
  expect([known.length, known.at(-1), known[0]]).toEqual([20, "session-many", "invented-29"]);
  expect((await agent.does({ run: ["task", "done", "t"] })).code).toBe(77);
  await many.ends();
});

test.each([
  [["config", "set", "log.level", "debug"], COMMANDS_OF_A_PERSON["config-set"]],
  [["autopilot", "on"], COMMANDS_OF_A_PERSON["config-set"]],
  [["setup", "claude-code", "--yes"], COMMANDS_OF_A_PERSON.setup],
])(
  "[OX28] parley %j is refused where an agent names a home of its own, also with a daemon made up",
  async (run, why) => {
    const home = join(program.root, `other-${run[0]}`);
    mkdirSync(home, { mode: 0o700 });
    const made = { state: "running", process: nameProcess(agent.pid), tokens: { agent: "a", human: "h" } };
    writeFileSync(join(home, "daemon.json"), JSON.stringify(made), { mode: 0o600 });
    expect(await agent.does({ run, env: { PARLEY_HOME: home } })).toEqual({
      code: 77,
      out: "",
      err: `✗ ${told(why)}\n`,
    });
  },
);

test("[OX9] an agent cannot make an agent of a process that is not the parent of its hook", async () => {
  const payload = { session_id: "framed", hook_event_name: "SessionStart", source: "startup", cwd: program.user };
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "framed", PARLEY_PARENT: String(process.pid) };
  await agent.does({ run: ["hook", "SessionStart"], env, stdin: JSON.stringify(payload) });
  expect(await program.client().call("caller")).toEqual({ type: "person", sessions: [] });
});

test("[OX10] a pid that another process has by now is nobody's", async () => {
  const other = createProgram();
  await other.start();
  const session = "long-gone";
  await other.terminate();
  writeFileSync(other.paths.agents, JSON.stringify([{ pid: process.pid, started: "1", session }]), { mode: 0o600 });
  await other.start();
  expect(await other.client().call("caller")).toEqual({ type: "person", sessions: [] });
  await other.dispose();
});

test("[OX11] a command that left its agent's line of processes is known by what it was started with", async () => {
  const out = join(program.root, "orphan");
  const words = COMMAND.map((word) => `'${word}'`).join(" ");
  const script = `(setsid nohup ${words} task done t >'${out}' 2>&1; echo $? >'${out}.code') & exit 0`;
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home };
  Bun.spawn(["sh", "-c", script], { env: { ...env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: agent.session } });
  expect(await holds(() => existsSync(`${out}.code`) && readFileSync(`${out}.code`, "utf8") !== "")).toBe(true);
  expect([readFileSync(out, "utf8"), readFileSync(`${out}.code`, "utf8")]).toEqual([
    `✗ ${told(WHO_MAY.taskDone)}\n`,
    "77\n",
  ]);
});

test("[OX12] unset in a shell, the shell itself still says whose it is", async () => {
  const script = `unset CLAUDECODE CLAUDE_CODE_SESSION_ID; ${COMMAND.map((word) => `'${word}'`).join(" ")} task done t; true`;
  const env = { PATH: process.env["PATH"] ?? "", HOME: program.user, PARLEY_HOME: program.home };
  const shell = Bun.spawn(["setsid", "sh", "-c", script], {
    env: { ...env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: agent.session },
    stderr: "pipe",
  });
  expect(await shell.stderr.text()).toBe(`✗ ${told(WHO_MAY.taskDone)}\n`);
});

test("[OX22] the docs name everything that only a person does", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/who-may.md")).text();
  const sentences = [...FOR_PEOPLE.map((name) => WHO_MAY[name]), ...Object.values(COMMANDS_OF_A_PERSON)];
  expect(sentences.filter((sentence) => !page.includes(sentence))).toEqual([]);
});

/** What acts on this machine without the daemon. */
const ACTS =
  /\b(write\w*File|appendFile|rm|rename|writeAtomic|replaceFile|stopDaemon|startDaemon|restoreBackup|saveBackup|process\.kill|writeLauncher|setConfig|linkProgram)(Sync)?\(/;
/** Changes nothing of a person's: a file that its caller names, a temporary one, the program that hooks call. */
/** `own-service` is what up and restart start it by. `context` only says what is lent; `offer-link` asks on a terminal, and not inside an agent's session. */
const HARMLESS = [
  "acp",
  "backup",
  "bug-report",
  "context",
  "doctor/launcher",
  "edit-call",
  // Refused as `hub` is; what a person answered through one.
  "hub-audit",
  "hub-answers",
  "offer-link",
  "own-service",
  "popup",
];

test("[OX23] every command that acts without the daemon is for a person alone, or changes nothing of theirs", async () => {
  const folder = join(import.meta.dir, "../../src/surfaces/cli");
  const files = [...new Bun.Glob("**/*.ts").scanSync(folder)].filter((file) => !file.endsWith(".test.ts"));
  const acting = await Promise.all(
    files.map(async (file) =>
      (await Bun.file(join(folder, file)).text()).match(ACTS) ? [file.replace(".ts", "")] : [],
    ),
  );
  // Commands lie in the folders of their groups, parts of one command in a folder of its name.
  const commands = acting.flat().map((file) => file.replace(/^(commands\/[a-z-]+|answering)\//, ""));
  const known = new Set([...Object.keys(COMMANDS_OF_A_PERSON), ...HARMLESS]);
  expect(commands.filter((name) => !known.has(name) && !known.has(name.split("/")[0] ?? ""))).toEqual([]);
  for (const name of Object.keys(COMMANDS_OF_A_PERSON)) {
    const [file = ""] = new Bun.Glob(`commands/*/${name}.ts`).scanSync(folder);
    expect([name, (await Bun.file(join(folder, file)).text()).includes("await refuseAgents(")]).toEqual([name, true]);
  }
});
