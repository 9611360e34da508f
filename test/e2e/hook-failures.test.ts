import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegistration } from "../../src/machine/home.ts";
import { isAlive } from "../../src/machine/process/process.ts";
import {
  agentEnv,
  command,
  createIdleProgram,
  createSession,
  ended,
  eventsOf,
  HASTY,
  hook,
  isHeld,
  settle,
  SILENT,
} from "./hook-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";
import type { Payload } from "../recorded.ts";
import { eventually, UNTIL_HEARD } from "../patience.ts";

const open: { dispose(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.dispose();
});

async function startProgram(): Promise<Program> {
  const program = createProgram();
  open.push(program);
  await program.start();
  return program;
}

async function idleProgram(): Promise<Program> {
  const program = await createIdleProgram();
  open.push(program);
  return program;
}

describe("the daemon goes", () => {
  test("[H23] killed while a hook waits: the hook starts the next one, and the answer arrives once", async () => {
    const program = await startProgram();
    const session = createSession(program, "single-select");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    const ask = await session.ask(isHeld);
    const before = program.registration().instance;
    await program.kill9();
    const isBack = () => readRegistration(program.paths)?.instance !== before;
    expect(await holds(isBack)).toBe(true);
    await session.ask(isHeld);
    await settle(program, ask, { action: "answer", answers: [{ picks: [1] }] });
    const { code, out } = await ended(dialog);
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(["hookSpecificOutput"]);
    await session.ask(({ state }) => state === "delivered");
    expect((await eventsOf(program, ask)).filter(({ type }) => type === "ask.sent")).toHaveLength(1);
  });

  test("[H24] stopped on purpose while a hook waits: the hook waits for the next one and starts none", async () => {
    const program = await startProgram();
    const session = createSession(program, "single-select");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    const ask = await session.ask(isHeld);
    const { instance, process: daemon } = program.registration();
    expect((await program.parley(["down"])).code).toBe(0);
    expect(isAlive(daemon)).toBe(false);
    expect(program.registration().instance).toBe(instance);
    await program.start();
    await session.ask(isHeld);
    await settle(program, ask, { action: "answer", answers: [{ picks: [0] }] });
    expect((await ended(dialog)).out).toContain('"Option A"');
  });

  test("[H25] stopped on purpose before: hooks print nothing, end at once and start none", async () => {
    const program = await startProgram();
    const session = createSession(program, "single-select");
    await program.parley(["down"]);
    const { process: daemon } = program.registration();
    for (const event of ["PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "SessionStart", "SessionEnd"])
      expect(await session.tell(event)).toEqual(SILENT);
    expect(program.registration().process).toEqual(daemon);
    expect(isAlive(daemon)).toBe(false);
  });

  test("[H26] never started: the first hook starts it, and its question is there", async () => {
    const program = await idleProgram();
    const session = createSession(program, "single-select");
    const dialog = session.fire("PermissionRequest");
    expect(await holds(() => readRegistration(program.paths) !== undefined)).toBe(true);
    const ask = await session.ask(isHeld);
    await settle(program, ask, { action: "answer", answers: [{ picks: [1] }] });
    expect((await ended(dialog)).out).toContain('"Option B"');
  });

  test("[H27] stuck: a hook that does not wait ends silently, one that waits ends at the agent's word", async () => {
    const program = await startProgram();
    const session = createSession(program, "single-select", "2.1.325", HASTY);
    const { pid } = program.registration().process;
    process.kill(pid, "SIGSTOP");
    open.push({ dispose: () => void process.kill(pid, "SIGCONT") });
    const dialog = session.fire("PermissionRequest");
    const short = ["PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd"];
    expect(await Promise.all(short.map((event) => session.tell(event)))).toEqual(short.map(() => SILENT));
    dialog.kill("SIGTERM");
    expect(await ended(dialog)).toEqual(SILENT);
  });

  test("[H38] PARLEY_HOOK_MS gives a hook longer than others have: what a stuck daemon hears late is heard", async () => {
    const program = await startProgram();
    const [patient, hasty] = [UNTIL_HEARD, HASTY].map((env) => createSession(program, "single-select", "2.1.325", env));
    const { pid } = program.registration().process;
    process.kill(pid, "SIGSTOP");
    open.push({ dispose: () => void process.kill(pid, "SIGCONT") });
    const waiting = patient!.fire("PreToolUse");
    expect(await hasty!.tell("PreToolUse")).toEqual(SILENT);
    expect(waiting.exitCode).toBeNull();
    process.kill(pid, "SIGCONT");
    expect(await ended(waiting)).toEqual(SILENT);
    expect(await patient!.asks()).toHaveLength(1);
  });
});

describe("what comes in is wrong", () => {
  test("[H28] no input makes a hook print, fail or wait", async () => {
    const program = await startProgram();
    const session = createSession(program, "single-select");
    const { tool_input: _, ...bare } = session.payload("PermissionRequest");
    const inputs = [
      "",
      "garbage",
      "5",
      "null",
      "[]",
      '"text"',
      "{}",
      JSON.stringify(bare),
      JSON.stringify(session.payload("PermissionRequest")).slice(0, -40),
      JSON.stringify({ ...bare, tool_input: { questions: "x".repeat(2 << 20) } }),
      "[".repeat(200_000),
      `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
      `{"session_id":"x","hook_event_name":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`,
    ];
    for (const event of ["PreToolUse", "PermissionRequest", "SessionStart"]) {
      const payload = { hook_event_name: event };
      const all = await Promise.all(inputs.map(async (stdin) => ended(hook(program, payload, { stdin }))));
      expect(all).toEqual(inputs.map(() => SILENT));
    }
    expect(await session.asks()).toEqual([]);
    expect((await program.parley(["status"])).code).toBe(0);
  });

  test("[CX40] codex with Claude Code's hooks in it is not held, and is no session of Claude Code's", async () => {
    const program = await startProgram();
    const recorded = join(import.meta.dir, "../../src/agents/codex/fixtures/0.166.0/hooks/hooks.jsonl");
    const payloads = readFileSync(recorded, "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { payload: Payload }).payload);
    expect(payloads.map(({ hook_event_name: name }) => name)).toContain("PermissionRequest");
    const all = await Promise.all(payloads.map(async (payload) => ended(hook(program, payload))));
    expect(all).toEqual(payloads.map(() => SILENT));
    const { asks } = await program.client().call("listAsks", { query: { state: "all" } });
    expect(asks.filter(({ origin }) => origin.agent !== "parley")).toEqual([]);
  });

  test("[CP20] Copilot with Claude Code's hooks in it is not held, and is no session of Claude Code's", async () => {
    const program = await startProgram();
    const recorded = join(import.meta.dir, "../../src/agents/copilot/fixtures/1.0.102/claude-hooks.jsonl");
    const calls = readFileSync(recorded, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { configured: string; payload: Record<string, unknown> });
    expect(calls.map(({ payload }) => payload["hookName"])).toContain("permissionRequest");
    const all = await Promise.all(
      calls.map(async ({ configured, payload }) => {
        const [, event = ""] = configured.split("-");
        const given = { env: { COPILOT_CLI: "1" }, stdin: JSON.stringify(payload), args: ["--hold"] };
        return ended(hook(program, { hook_event_name: event }, given));
      }),
    );
    expect(all).toEqual(calls.map(() => SILENT));
    expect((await program.client().call("listAsks", { query: { state: "all" } })).asks).toEqual([]);
    expect((await program.client().call("listSessions", { query: {} })).sessions).toEqual([]);
  });

  test("[H29] a hook whose program is gone is silent", async () => {
    const program = await startProgram();
    const session = createSession(program, "single-select");
    rmSync(program.paths.program);
    expect(await session.tell("PermissionRequest")).toEqual(SILENT);
  });
});

describe("what the daemon says is wrong", () => {
  type Heard = { path: string; body: Record<string, unknown> };

  /** Something that answers at the daemon's place, but is not one. */
  async function pretend(answer: (heard: Heard, nth: number) => Response) {
    const program = await idleProgram();
    const heard: Heard[] = [];
    const server = Bun.serve({
      unix: program.paths.socket,
      async fetch(request) {
        const { pathname: path } = new URL(request.url);
        if (path === "/health") return Response.json({});
        const said = { path, body: (await request.json()) as Heard["body"] };
        heard.push(said);
        if (path !== "/hook/call") return Response.json({});
        return answer(said, heard.length);
      },
    });
    open.push({ dispose: () => server.stop(true) });
    return { program, session: createSession(program, "single-select"), heard };
  }

  const handed = [{ ask: "a1", key: "toolu_ask", channel: "race" }];
  const allow = (updatedInput: unknown) => ({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow", updatedInput } },
  });

  test.each([
    ["an allow without input", allow(undefined)],
    ["answers without questions", allow({ answers: { "Which approach should we use?": "Option B" } })],
    ["empty answers", allow({ questions: "asked", answers: {} })],
    ["another event", { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } }],
    ["no object", "yes"],
  ])("[H30] a reply that could hurt the agent is not printed, and the daemon is told: %s", async (_, output) => {
    const { session, heard } = await pretend(() => Response.json({ output, handed }));
    expect(await session.tell("PermissionRequest")).toEqual(SILENT);
    expect(await holds(() => heard.length > 1)).toBe(true);
    const [call, release, ...more] = heard;
    expect(release).toEqual({
      path: "/hook/release",
      body: { call: call?.body["call"], reason: "bad-reply", handed },
    });
    expect(more).toEqual([]);
  });

  test("[H31] a good reply is printed and acknowledged with what was handed over", async () => {
    const { session, heard } = await pretend(({ body }) => {
      const { tool_input: input } = body["payload"] as { tool_input: object };
      const answers = { "Which approach should we use?": "Option B" };
      return Response.json({ output: allow({ ...input, answers }), handed });
    });
    const { out } = await session.tell("PermissionRequest");
    expect(out).toContain('"Option B"');
    await eventually(() =>
      expect(heard.slice(1)).toEqual([
        { path: "/hook/ack", body: { call: heard[0]?.body["call"], handed, output: JSON.parse(out) as unknown } },
      ]),
    );
  });

  test.each([400, 401, 413, 422])(
    "[H32] refused with %d: the hook gives up and the dialog is all there is",
    async (status) => {
      const { session, heard } = await pretend(() => Response.json({ error: {} }, { status }));
      expect(await session.tell("PermissionRequest")).toEqual(SILENT);
      expect(heard).toHaveLength(1);
    },
  );

  test("[H32] an answer that is no JSON ends the hook too", async () => {
    const { session } = await pretend(() => new Response("<html>"));
    expect(await session.tell("PermissionRequest")).toEqual(SILENT);
  });

  test("[H33] failed inside: a hook that waits asks again as the same hook", async () => {
    const { session, heard } = await pretend((_, nth) =>
      nth === 1 ? new Response("", { status: 500 }) : Response.json(nth === 2 ? { again: true } : { handed: [] }),
    );
    expect(await session.tell("PermissionRequest")).toEqual(SILENT);
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ body }) => body["call"])).size).toBe(1);
  });

  test("[H34] of the agent's surroundings a hook tells its own and its parent's pid and its tmux pane, nothing else", async () => {
    const { program, session, heard } = await pretend(() => Response.json({ handed: [] }));
    const env = { TMUX: "/tmp/tmux-1/default,5,0", TMUX_PANE: "%3", SECRET: "s3cr3t", ANTHROPIC_API_KEY: "s3cr3t" };
    expect(await ended(hook(program, session.payload("PreToolUse"), { env }))).toEqual(SILENT);
    expect(heard[0]?.body).toEqual({
      agent: "claude-code",
      call: expect.any(String) as string,
      calledAt: expect.any(Number) as number,
      waits: false,
      payload: session.payload("PreToolUse"),
      facts: { pid: process.pid, hook: expect.any(Number) as number, tmux: "/tmp/tmux-1/default,5,0", pane: "%3" },
    });
  });
});

test("[H35] nothing else of an agent's environment reaches the daemon it starts, its database or its log", async () => {
  const program = await idleProgram();
  const session = createSession(program, "single-select");
  const env = { SECRET: "s3cr3t-value", ANTHROPIC_API_KEY: "s3cr3t-value", TMUX: "/tmp/x,1,0", TMUX_PANE: "%7" };
  await ended(hook(program, session.payload("PreToolUse"), { env }));
  const dialog = hook(program, session.payload("PermissionRequest"), { env });
  const ask = await session.ask(isHeld);
  expect(ask.origin.pane).toEqual({ server: "/tmp/x", id: "%7", pid: 1 });
  await settle(program, ask, { action: "answer", answers: [{ picks: [0] }] });
  await ended(dialog);
  const files = readdirSync(program.home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(files.length).toBeGreaterThan(3);
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
  expect(texts.some((text) => text.includes("Which approach should we use?"))).toBe(true);
  expect(texts.filter((text) => text.includes("s3cr3t-value"))).toEqual([]);
  const environment = `/proc/${program.registration().process.pid}/environ`;
  if (existsSync(environment)) expect(readFileSync(environment, "utf8")).not.toContain("s3cr3t-value");
});

test("[H36] nobody reads what the hook prints: it does not crash, and nothing counts as sent", async () => {
  const program = await startProgram();
  const session = createSession(program, "single-select");
  await session.tell("PreToolUse");
  const at = (ending: string) => join(program.root, `${session.id}.${ending}`);
  writeFileSync(at("in"), JSON.stringify(session.payload("PermissionRequest")));
  const script = `{ /bin/sh -c "$HOOK" < '${at("in")}' 2> '${at("err")}'; echo $? > '${at("code")}'; } | true; wait`;
  const shell = Bun.spawn(["/bin/sh", "-c", script], {
    env: { ...agentEnv(program), HOOK: command(program, "PermissionRequest") },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const ask = await session.ask(isHeld);
  await settle(program, ask, { action: "answer", answers: [{ picks: [0] }] });
  await shell.exited;
  expect(await holds(() => existsSync(at("code")) && readFileSync(at("code"), "utf8") !== "")).toBe(true);
  expect([readFileSync(at("code"), "utf8"), readFileSync(at("err"), "utf8")]).toEqual(["0\n", ""]);
  const after = await session.ask(({ deliveries }) => deliveries[0]?.released !== undefined);
  expect(after).toMatchObject({ state: "settled", deliveries: [{ state: "waiting", released: "hook-gone" }] });
});

test("[H37] a hook that is killed is noticed by the broken line", async () => {
  const program = await startProgram();
  const session = createSession(program, "single-select");
  const dialog = session.fire("PermissionRequest");
  await session.ask(isHeld);
  dialog.kill("SIGKILL");
  const ask = await session.ask(({ deliveries }) => deliveries[0]?.released !== undefined);
  expect(ask).toMatchObject({ state: "open", reachable: false, deliveries: [{ released: "hook-gone" }] });
});
