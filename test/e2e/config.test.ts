import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Config, LEAVES } from "../../src/core/config/config.ts";
import { valueAt } from "../../src/core/config/check.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { question } from "./api-request.ts";
import { createSession, ended, hook, isHeld, settle } from "./hook-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { eventually } from "../patience.ts";

let program: Program;
let file = "";
beforeEach(() => {
  program = createProgram();
  file = join(program.user, ".config/parley/config.toml");
});
afterEach(() => program.dispose());

function write(text: string): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

type Shown = { user: string; entries: { key: string; value: unknown; source: object }[]; problems: object[] };
const config = async (...args: string[]) =>
  JSON.parse((await program.parley(["config", "--json", ...args])).out) as Shown;
const valueOf = async (key: string) => (await config()).entries.find((entry) => entry.key === key)?.value;
const warnings = () =>
  readFileSync(program.paths.log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { message: string; problems?: string[] })
    .filter(({ message }) => message === "config")
    .map(({ problems }) => problems);

test("[G1] config shows every value and where it comes from, without starting anything", async () => {
  write("[notify]\nafter_seconds = 3\n");
  mkdirSync(join(program.user, "work/.git"), { recursive: true });
  writeFileSync(join(program.user, "work/.parley.toml"), "# ours\nnotify.enabled = false\n");
  const { code, out, err } = await program.parley(["config"], { cwd: join(program.user, "work") });
  expect([code, err]).toEqual([0, ""]);
  const lines = out.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "));
  expect(lines.slice(0, 4)).toEqual([
    `Yours:  ${file}`,
    `Project: ${join(program.user, "work/.parley.toml")}`,
    "port  0  PARLEY_PORT",
    "hold.subagent_seconds  20  default",
  ]);
  expect(lines).toContain(`notify.enabled  false  ${join(program.user, "work/.parley.toml")}:2`);
  expect(lines).toContain(`notify.after_seconds  3  ${file}:2`);
  expect(lines).toHaveLength(2 + LEAVES.length + 1);
  expect((await program.parley(["status"])).code).toBe(3);
});

test("[G7] config path says where the file is, whether it is there or not", async () => {
  expect(await program.parley(["config", "path"])).toEqual({ code: 0, out: `${file}\n`, err: "" });
  const env = { XDG_CONFIG_HOME: join(program.root, "xdg") };
  const xdg = join(program.root, "xdg/parley/config.toml");
  expect((await program.parley(["config", "path"], { env })).out).toBe(`${xdg}\n`);
  const named = { ...env, PARLEY_CONFIG: "mine.toml" };
  const { out } = await program.parley(["config", "path", "--json"], { env: named });
  expect(JSON.parse(out)).toEqual({ path: join(program.user, "mine.toml"), exists: false });
  const err = '✗ There is no "config pth". Did you mean path? See: parley config --help\n';
  expect(await program.parley(["config", "pth"])).toMatchObject({ code: 2, err });
});

test("[G7] a daemon that runs with another file says so", async () => {
  const other = join(program.root, "other.toml");
  writeFileSync(other, "retention.days = 9\n");
  const child = program.spawn(["serve"], { env: { PARLEY_CONFIG: other } });
  const out = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await out.read();
  expect((await config()).user).toBe(other);
  expect(await valueOf("retention.days")).toBe(9);
  const { out: text } = await program.parley(["config"]);
  expect(text).toContain(`! The daemon runs with another file than ${file}\n`);
  child.kill("SIGINT");
  expect(await child.exited).toBe(0);
});

test("[G5] a file with a mistake stops neither the daemon nor a hook, and is told everywhere", async () => {
  write("port = 1\n[notify]\nenabeld = true\n");
  await program.start();
  const payload = { hook_event_name: "SessionStart", session_id: "s", source: "startup", cwd: program.user };
  const hook = await program.parley(["hook", "SessionStart"], { stdin: JSON.stringify(payload) });
  expect(hook).toEqual({ code: 0, out: "", err: "" });
  const problems = [
    `${file}:1:1: port: expected a port from 1024 to 65000, or 0 for any, not 1`,
    `${file}:3:1: unknown key notify.enabeld; did you mean notify.enabled?`,
  ];
  const { code, out } = await program.parley(["config"]);
  expect(code).toBe(1);
  expect(out).toEndWith(
    `${problems.map((line) => `✗ ${line}\n`).join("")}Settings with mistakes are ignored; the rest applies.\n`,
  );
  await eventually(() => expect(warnings()).toEqual([problems]));
});

test("[G6] the daemon notices a change at once, keeps the last good state, and takes the next", async () => {
  write("retention.days = 1\n");
  await program.start();
  expect(await valueOf("retention.days")).toBe(1);
  write("retention.days = 2\n");
  expect(await valueOf("retention.days")).toBe(2);
  write("retention.days = 'x'\n");
  const broken = await config();
  expect(await valueOf("retention.days")).toBe(2);
  expect(broken.problems).toEqual([
    {
      file,
      line: 1,
      column: 1,
      key: "retention.days",
      message: `retention.days: expected a whole number from 0 to 36500, not "x"`,
    },
  ]);
  write("retention.days = 3\n");
  expect(await valueOf("retention.days")).toBe(3);
  expect((await config()).problems).toEqual([]);
});

test("[G10] port is the first to be tried; PARLEY_PORT is exactly that", async () => {
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  try {
    const { port } = taken;
    write(`port = ${port}\n`);
    await program.start({ PARLEY_PORT: "" });
    const bound = program.registration().port ?? 0;
    expect(bound).toBeGreaterThan(port ?? 0);
    expect(bound).toBeLessThanOrEqual((port ?? 0) + 50);
    await program.terminate();
    await program.start({ PARLEY_PORT: "0" });
    expect((await config()).entries[0]).toMatchObject({ value: 0, source: { from: "environment" } });
    await program.terminate();
    const refused = await program.parley(["serve"], { env: { PARLEY_PORT: String(port) } });
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(`Port ${port} (PARLEY_PORT) cannot be used`),
    ]);
  } finally {
    await taken.stop(true);
  }
});

test("[G11] retention.days removes what was settled before that, and nothing else", async () => {
  await program.start();
  await program.terminate();
  const day = 86_400_000;
  const [old, young, waiting] = ["old", "young", "waiting"].map((name) => `${name}22222222`.slice(0, 12));
  const store = openSqlite(program.paths.database);
  for (const [id = "", days] of [
    [old, 40],
    [young, 20],
    [waiting, 40],
  ] as const) {
    const at = Date.now() - days * day;
    const questions = [{ text: "?", header: "", multiSelect: false, options: [] }];
    const captured = {
      type: "ask.captured",
      kind: "question",
      questions,
      origin: { agent: "script" },
      key: "fetch",
      channel: "fetch",
    } as const;
    const outcome = { type: "declined", actor: { type: "person", surface: "cli" }, at } as const;
    const events = id === waiting ? [captured] : [captured, { type: "ask.closed", outcome } as const];
    await store.append({ at, ask: { id, expected: 0, events } });
  }
  await store.close();
  await program.start();
  const kept = async () =>
    (await program.client().call("listAsks", { query: { state: "all" } })).asks
      .map(({ id }) => id.slice(0, 3))
      .toSorted();
  expect(await kept()).toEqual(["old", "wai", "you"]);
  await program.terminate();
  write("retention.days = 30\n");
  await program.start();
  await eventually(async () => expect(await kept()).toEqual(["wai", "you"]));
});

test("[G13] hold.subagent_seconds ends the hold of a prompt inside a subagent", async () => {
  write("hold.subagent_seconds = 3600\n");
  await program.start();
  const prompt = () => {
    const session = createSession(program, "single-select");
    return { session, waiting: hook(program, { ...session.payload("PermissionRequest"), agent_id: "sub" }) };
  };
  // One that came before the setting changed is held on: were it the default, it would be let go before the other.
  const first = prompt();
  await first.session.ask(isHeld);
  write("hold.subagent_seconds = 0\n");
  // The daemon has looked at it.
  await program.client().call("config", { query: {} });
  const { session, waiting } = prompt();
  const released = await session.ask((ask) => ask.deliveries[0]?.released === "subagent");
  expect(released.state).toBe("open");
  expect(await ended(waiting)).toEqual({ code: 0, out: "", err: "" });
  await settle(program, await first.session.ask(isHeld), { action: "decline" });
  await ended(first.waiting);
});

test("[G12] every key is in the handbook, with its default", async () => {
  const handbook = await Bun.file(join(import.meta.dir, "../../docs/config.md")).text();
  const rows = new Map(
    [...handbook.matchAll(/^\| `([a-z_.]+)` \| `([^`]*)` \|(.*)\|$/gm)].map(([, key, value, more]) => [
      key,
      { value, more },
    ]),
  );
  expect([...rows.keys()]).toEqual(LEAVES.map(({ key }) => key));
  for (const { key, path, info } of LEAVES) {
    expect([key, rows.get(key)?.value]).toEqual([key, JSON.stringify(valueAt(Config.parse({}), path))]);
    expect([key, rows.get(key)?.more?.includes("project")]).toEqual([key, info.project !== undefined]);
  }
});

test("[G8] no secret reaches the API, the log or an error", async () => {
  write(`[notify.ntfy]\nurl = "http://127.0.0.1:1/tk_topic"\ntoken = "tk_token"\n[notify]\nafter_seconds = 0\n`);
  await program.start();
  await program.client("agent").call("createAsk", { body: { questions: [question()] } });
  expect(await holds(() => readFileSync(program.paths.log, "utf8").includes("tried again"))).toBe(true);
  const { out } = await program.parley(["notify", "test"]);
  expect(out).toContain("✗ ntfy: 127.0.0.1:1 cannot be reached");
  const everything = [readFileSync(program.paths.log, "utf8"), out, (await program.parley(["config", "--json"])).out];
  for (const text of everything) expect(text).not.toContain("tk_");
});
