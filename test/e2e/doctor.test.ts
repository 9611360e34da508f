import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runDaemon } from "../../src/daemon/daemon.ts";
import { pathsIn } from "../../src/machine/home.ts";
import { sqlite } from "../../src/store/sqlite/engine.ts";
import { checkAsks } from "../../src/surfaces/cli/doctor/asks.ts";
import { storeFindings } from "../../src/surfaces/cli/doctor/store.ts";
import { checkStore } from "../../src/backups.ts";
import { ask } from "./cli-asker.ts";
import { onTerminal, withoutColours } from "./cli-terminal.ts";
import { createPatient, type Patient, steady, TESTED, VERSION } from "./doctor-stage.ts";
import { holds } from "./program.ts";
import { eventually } from "../patience.ts";

let patient: Patient;
beforeEach(() => {
  patient = createPatient();
});
afterEach(() => patient.dispose());

const healthy = async () => {
  await patient.start();
  const { code, err } = await patient.parley(["setup", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(err);
};
const isRoot = process.geteuid?.() === 0;

test("[DR1] on a fresh machine it says what to do, and neither starts nor makes anything", async () => {
  const { code, out, err } = await patient.doctor();
  expect(steady(out, patient.root)).toBe(
    [
      "! daemon       Parley is not running; the next question or command starts it → parley up",
      "! home         ROOT/home does not exist yet",
      "✓ store        nothing is saved yet",
      `✓ claude-code  Claude Code ${TESTED.version} (ROOT/bin/claude): race, hold and resume, tested ${TESTED.date}`,
      "✗ hooks        Claude Code does not ask through Parley: no settings file has its hooks → parley setup claude-code",
      "✓ settings     nothing keeps the hooks from running",
      "✓ tmux         ROOT/bin/tmux is there, for parley doctor --live",
      "",
      "1 problem, 2 notes.",
      "",
    ].join("\n"),
  );
  expect([code, err]).toEqual([1, ""]);
  expect(existsSync(patient.home)).toBe(false);
  // Bun's own cache of what it has translated.
  expect(readdirSync(patient.user).filter((name) => name !== ".bun")).toEqual(["project"]);
});

test("[DR2] when everything is well it says so, one line a check, and ends with 0", async () => {
  await healthy();
  const { code, out, err } = await patient.doctor();
  expect(steady(out, patient.root)).toBe(
    [
      `✓ daemon       Parley ${VERSION} runs (pid N, up TIME)`,
      "✓ port         http://127.0.0.1:PORT answers",
      "✓ home         ROOT/home is yours alone",
      "✓ store        ROOT/home/parley.db is sound: 0 questions, 0 events",
      "✓ clock        is right: CLOCK",
      "✓ asks         nothing waits for you, no answer is stuck",
      `✓ claude-code  Claude Code ${TESTED.version} (ROOT/bin/claude): race, hold and resume, tested ${TESTED.date}`,
      "✓ hooks        12 in ROOT/user/.claude/settings.json start this Parley",
      `✓ launcher     ROOT/home/bin/parley starts Parley ${VERSION}`,
      "✓ settings     nothing keeps the hooks from running",
      "✓ tmux         ROOT/bin/tmux is there, for parley doctor --live",
      "",
      "Everything is fine.",
      "",
    ].join("\n"),
  );
  expect([code, err]).toEqual([0, ""]);
  const screen = await onTerminal(patient, ["doctor"], { columns: 80, env: { PATH: `${patient.bin}:/usr/bin:/bin` } });
  const lines = withoutColours(screen.text).split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
});

test("[DR3] a daemon that was killed, stopped or hangs is a problem with its fix", async () => {
  await healthy();
  await patient.kill9();
  expect(await patient.lines("daemon")).toEqual([
    "✗ daemon       Parley was killed: ROOT/home/daemon.json names pid N, which is gone → parley up",
  ]);
  expect((await patient.parley(["status"])).code).toBe(3);

  await patient.start();
  const { pid } = patient.registration().process;
  process.kill(pid, "SIGSTOP");
  const hung = await patient.lines("daemon").finally(() => process.kill(pid, "SIGCONT"));
  expect(hung).toEqual([
    "✗ daemon       Parley is running (pid N), but not responding at ROOT/home/daemon.sock → parley down --force; parley up",
  ]);

  await patient.parley(["down"]);
  expect(await patient.lines("daemon")).toEqual([
    "✗ daemon       Parley was stopped on purpose: questions do not reach it → parley up",
  ]);
  expect((await patient.doctor()).code).toBe(1);
});

test("[DR3] a daemon that cannot start is told with its own reason", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("mine") });
  const { port } = other;
  await patient.parley(["up"], { env: { PARLEY_PORT: String(port) } });
  await other.stop(true);
  const [line = ""] = await patient.lines("daemon");
  expect(line).toStartWith(`✗ daemon       Parley did not start: Port ${port} (PARLEY_PORT) cannot be used: `);
  expect(line).toEndWith(" → parley serve shows it again; its log is ROOT/home/daemon.log");
});

test("[DR3] a daemon of another version, or one that does not take our token, is told", async () => {
  const paths = pathsIn(join(patient.root, "in-process"));
  const at = { env: { PARLEY_HOME: paths.home } };
  const old = await runDaemon({
    paths,
    version: "0.0.9",
    byHand: true,
    port: 0,
    engine: sqlite,
    now: Date.now,
    log: () => undefined,
  });
  expect(await patient.lines("daemon", at)).toEqual([
    `! daemon       Parley 0.0.9 runs (pid N, up TIME), but this is Parley ${VERSION} → parley restart`,
  ]);
  const text = readFileSync(paths.registration, "utf8");
  writeFileSync(paths.registration, text.replace(old?.registration.tokens.human ?? "", "somebody-elses"));
  expect(await patient.lines("daemon", at)).toEqual([
    "✗ daemon       a daemon answers at ROOT/in-process/daemon.sock, but rejects the token in ROOT/in-process/daemon.json → parley down --force; parley up",
  ]);
  old?.stop(false);
  await old?.ended;
});

test("[DR4] a home, registration or socket that others can open is a problem", async () => {
  await healthy();
  chmodSync(patient.home, 0o750);
  chmodSync(patient.paths.registration, 0o644);
  chmodSync(patient.paths.socket, 0o666);
  expect(await patient.lines("home")).toEqual([
    "✗ home         ROOT/home is open to others (mode 0750) → chmod go-rwx ROOT/home",
    "✗ home         ROOT/home/daemon.json is open to others (mode 0644) → chmod go-rwx ROOT/home/daemon.json",
    "✗ home         ROOT/home/daemon.sock is open to others (mode 0666) → chmod go-rwx ROOT/home/daemon.sock",
  ]);
  for (const path of [patient.home, patient.paths.registration, patient.paths.socket])
    Bun.spawnSync(["chmod", "go-rwx", path]);
  expect(await patient.lines("home")).toEqual(["✓ home         ROOT/home is yours alone"]);
});

test("[DR4] a home that is a link is a problem", async () => {
  symlinkSync(patient.user, patient.home);
  expect(await patient.lines("home")).toEqual([
    "✗ home         ROOT/home is not a folder (a link is not followed) → set PARLEY_HOME to a folder of your own",
  ]);
});

const UNUSABLE = "✗ daemon       Parley is not running, and cannot start with such a home → see home, below";

test.each([
  ["file", "ROOT/file is not a folder (a link is not followed)"],
  ["file/state", "ROOT/file/state cannot be made: ROOT/file is not a folder"],
])("[SX30] a home where nothing can be kept (%s) is said, by doctor and by whoever asks", async (name, what) => {
  writeFileSync(join(patient.root, "file"), "mine");
  const at = { env: { PARLEY_HOME: join(patient.root, name) } };
  expect(await patient.lines("daemon", at)).toEqual([UNUSABLE]);
  expect(await patient.lines("home", at)).toEqual([`✗ home         ${what} → set PARLEY_HOME to a folder of your own`]);
  const { code, err } = await patient.parley(["ls"], at);
  expect([code > 0, steady(err, patient.root)]).toEqual([true, expect.stringContaining("ROOT/file is not a ")]);
  expect(readFileSync(join(patient.root, "file"), "utf8")).toBe("mine");
});

const unlessRoot = isRoot ? " (skipped: root may write everywhere)" : "";
test.if(!isRoot)(`[SX31] a folder that may not be written is named with the reason${unlessRoot}`, async () => {
  const closed = join(patient.root, "closed");
  mkdirSync(closed, { mode: 0o500 });
  const at = { env: { PARLEY_HOME: join(closed, "state") } };
  expect(await patient.lines("daemon", at)).toEqual([UNUSABLE]);
  const { code, err } = await patient.parley(["ls"], at);
  expect([code, steady(err, patient.root)]).toEqual([
    74,
    "✗ The daemon cannot start: ROOT/closed cannot be written: you may not write there. It starts on its own once that is fixed.\n",
  ]);
});

test.if(isRoot)("[DR4] what belongs to somebody else is a problem", async () => {
  await healthy();
  chownSync(patient.paths.database, 1234, 1234);
  expect(await patient.lines("home")).toEqual([
    "✗ home         ROOT/home/parley.db belongs to user 1234, not to you → sudo chown -R 0 ROOT/home",
  ]);
});

test("[DR12] a damaged database is a problem, and a sound one is read without leaving anything behind", async () => {
  await healthy();
  await patient.client("agent").call("createAsk", { body: { questions: [QUESTION] } });
  expect(await patient.lines("store")).toEqual(["✓ store        ROOT/home/parley.db is sound: 1 question, 1 event"]);
  await patient.terminate();
  const before = readdirSync(patient.home).toSorted();
  expect(await patient.lines("store")).toEqual(["✓ store        ROOT/home/parley.db is sound: 1 question, 1 event"]);
  expect(readdirSync(patient.home).toSorted()).toEqual(before);

  const bytes = readFileSync(patient.paths.database);
  bytes.fill(0xff, 0, 64);
  writeFileSync(patient.paths.database, bytes);
  expect(await patient.lines("store")).toEqual([
    "✗ store        ROOT/home/parley.db is damaged: file is not a database → parley down, move ROOT/home/parley.db and its -wal aside (keep both), parley up: it begins with an empty inbox",
  ]);
  rmSync(patient.paths.database);
});

test("[DR12] what a killed daemon had not yet moved into the database is read too", async () => {
  await healthy();
  await patient.client("agent").call("createAsk", { body: { questions: [QUESTION] } });
  await patient.kill9();
  expect(await patient.lines("store")).toEqual(["✓ store        ROOT/home/parley.db is sound: 1 question, 1 event"]);
});

test("[DR12] a clock that stands before what is kept is a problem", async () => {
  await healthy();
  await patient.client("agent").call("createAsk", { body: { questions: [QUESTION] } });
  const hourAgo = Date.now() - 3_600_000;
  const health = await checkStore(patient.paths);
  const [, clock] = storeFindings(patient.paths, health, hourAgo);
  const time = new Date(hourAgo).toISOString().replace("T", " ").slice(0, 16);
  expect(clock).toMatchObject({ check: "clock", level: "problem", fix: "set this machine's clock" });
  expect(clock?.message).toMatch(new RegExp(`^${time} UTC is (1 h|60 min) before the newest saved event$`));
  expect(storeFindings(patient.paths, health, Date.now())[1]).toMatchObject({ check: "clock", level: "ok" });
});

test("[DR13] answers nobody took and questions nobody holds are told", async () => {
  await healthy();
  const kept = await ask(patient);
  await kept.hangsUp();
  expect(await patient.lines("asks")).toEqual([
    "! asks         1 question can only be answered in its terminal → see: parley ls",
  ]);
  await patient.parley(["answer", kept.id, "2"]);
  expect(await patient.lines("asks")).toEqual([
    "! asks         1 answer is saved: its agent has not picked it up → resume the session; see: parley ls --state settled",
  ]);
  expect((await patient.doctor()).code).toBe(0);
});

test("[DR13] an answer that a script left is told with the command that prints it", async () => {
  await healthy();
  const { id } = await patient.client("agent").call("createAsk", { body: { questions: [QUESTION] } });
  await patient.parley(["answer", id, "1"]);
  expect(await patient.lines("asks")).toEqual([
    "! asks         1 answer is saved: whoever asked for it has not come back → parley wait ID prints it; see: parley ls --state settled",
  ]);
  expect((await patient.parley(["wait", id])).code).toBe(0);
  expect(await patient.lines("asks")).toEqual(["✓ asks         nothing waits for you, no answer is stuck"]);
});

test("[DR13] answers that were never confirmed, or arrived differently, are told", async () => {
  await healthy();
  const asking = await ask(patient);
  await patient.parley(["answer", asking.id, "2"]);
  await asking.output;
  const client = patient.client();
  const unconfirmed = {
    check: "asks",
    level: "note",
    message: "1 answer was sent and never confirmed",
    fix: "see: parley ls --state delivered",
  } as const;
  await eventually(async () => expect(await checkAsks(client, Date.now() + 120_000)).toEqual([unconfirmed]));
  expect(await checkAsks(client, Date.now())).toEqual([
    { check: "asks", level: "ok", message: "nothing waits for you, no answer is stuck" },
  ]);
  asking.writes("Option C", "hook");
  expect(await holds(async () => (await client.call("getAsk", { id: asking.id })).state === "mismatched")).toBe(true);
  expect(await patient.lines("asks")).toEqual([
    "! asks         1 answer of the last day reached its agent differently → see: parley ls --state mismatched",
  ]);
});

test("[DR14] --json is the same list, with the same exit code", async () => {
  await healthy();
  const good = await patient.doctor(["--json"]);
  const { ok, findings } = JSON.parse(good.out) as { ok: boolean; findings: { check: string; level: string }[] };
  expect([good.code, ok]).toEqual([0, true]);
  expect(findings.map(({ check, level }) => `${level} ${check}`)).toEqual(
    ["daemon", "port", "home", "store", "clock", "asks", "claude-code", "hooks", "launcher", "settings", "tmux"].map(
      (check) => `ok ${check}`,
    ),
  );
  rmSync(join(patient.user, ".claude"), { recursive: true });
  const bad = await patient.doctor(["--json"]);
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.out)).toMatchObject({
    ok: false,
    findings: expect.arrayContaining([
      {
        check: "hooks",
        level: "problem",
        message: "Claude Code does not ask through Parley: no settings file has its hooks",
        fix: "parley setup claude-code",
      },
    ]),
  });
});

test("[DR14] options that do not belong together are refused", async () => {
  for (const args of [["--keep"], ["--agent", "x"]])
    expect(await patient.doctor(args)).toEqual({
      code: 2,
      out: "",
      err: "✗ --agent and --keep belong to --live: parley doctor --live\n",
    });
});

const QUESTION = {
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: ["SQLite", "Postgres"].map((label) => ({ label, description: `Use ${label}` })),
};
