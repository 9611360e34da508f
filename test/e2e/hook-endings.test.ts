import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, nameProcess } from "../../src/machine/process/process.ts";
import { agentEnv, command, createSession, ended, hook, isHeld, type Session, settle, SILENT } from "./hook-stage.ts";
import { eventually } from "../patience.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

async function asked(session: Session) {
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  await session.ask(isHeld);
  return dialog;
}

describe("in the agent's own dialog", () => {
  test.each(["2.1.197", "2.1.325"])(
    "[H12] answered there (%s): the hook ends silently, the Ask says what",
    async (version) => {
      const session = createSession(program, "single-select", version);
      const dialog = await asked(session);
      expect(await session.tell("PostToolUse")).toEqual(SILENT);
      expect(await ended(dialog)).toEqual(SILENT);
      const ask = await session.ask(({ state }) => state === "closed");
      expect(ask.outcome).toMatchObject({ type: "answered-elsewhere", answers: [{ picks: [1] }] });
      expect(ask.sentence).toBe("✓ answered in the terminal: Option B");
    },
  );

  test("[H13] answered there while ours was on its way: overtaken, and ours is kept as lost", async () => {
    const session = createSession(program, "single-select");
    const dialog = await asked(session);
    await settle(program, await session.ask(), { action: "answer", answers: [{ picks: [0] }] });
    expect((await ended(dialog)).out).toContain("Option A");
    session.write();
    await session.tell("PostToolUse");
    const ask = await session.ask(({ state }) => state === "closed");
    expect(ask.sentence).toBe("✗ the terminal was first: Option B");
    expect(ask.outcome?.lost).toMatchObject({ type: "answered", answers: [{ picks: [0] }] });
  });

  test("[H14] twins answered there one by one: the second keeps its hook until it is answered too", async () => {
    const session = createSession(program, "twins-in-one-message");
    await session.tell("PreToolUse", 0);
    await session.tell("PreToolUse", 1);
    const dialogs = [session.fire("PermissionRequest", 0), session.fire("PermissionRequest", 1)];
    await session.ask(({ deliveries }) => deliveries.every(({ hold }) => hold !== undefined));
    await session.tell("PostToolUse", 0);
    const first = await Promise.race(dialogs.map((child) => ended(child)));
    expect(first).toEqual(SILENT);
    expect(await session.ask(isHeld)).toMatchObject({ state: "open" });
    await session.tell("PostToolUse", 1);
    for (const child of dialogs) expect(await child.exited).toBe(0);
    await session.ask(({ state }) => state === "closed");
  });

  test.each(["2.1.197", "2.1.325"])(
    "[H15] “Chat about this” (%s) is told by Stop and the transcript",
    async (version) => {
      const session = createSession(program, "chat", version);
      const dialog = await asked(session);
      session.write();
      expect(await session.tell("Stop")).toEqual(SILENT);
      expect(await ended(dialog)).toEqual(SILENT);
      const ask = await session.ask(({ state }) => state === "closed");
      // Whichever is read first: the hook, or what the agent wrote down.
      expect(ask.sentence).toMatch(/^✗ “chat about this” chosen in the terminal(, as the agent's own record says)?$/);
    },
  );

  test.each(["2.1.197", "2.1.325"])(
    "[H16] Esc (%s) is SIGTERM to the hook and a rejection in the transcript",
    async (version) => {
      const session = createSession(program, "escape", version);
      const dialog = await asked(session);
      session.write();
      dialog.kill("SIGTERM");
      expect(await ended(dialog)).toEqual(SILENT);
      const ask = await session.ask(({ state }) => state === "closed");
      expect(ask.outcome).toMatchObject({ type: "declined", actor: { type: "person", surface: "terminal" } });
      expect(ask.deliveries[0]?.released).toBe("signal");
    },
  );

  test("[H16] the transcript may come after the signal", async () => {
    const session = createSession(program, "escape");
    const dialog = await asked(session);
    dialog.kill("SIGTERM");
    expect(await ended(dialog)).toEqual(SILENT);
    expect((await session.ask(({ reachable }) => !reachable)).state).toBe("open");
    session.write();
    await session.ask(({ outcome }) => outcome?.type === "declined");
  });

  test("[H17] the agent's own timer ends the question as expired", async () => {
    const session = createSession(program, "agents-own-timeout");
    const dialog = await asked(session);
    expect(await session.tell("Notification")).toEqual(SILENT);
    expect((await session.ask()).state).toBe("open");
    await session.tell("PostToolUse");
    expect(await ended(dialog)).toEqual(SILENT);
    const ask = await session.ask(({ state }) => state === "closed");
    expect(ask.sentence).toBe("✗ expired: the agent's own timer ran out");
  });
});

describe("without an answer", () => {
  test("[H18] at its own deadline a hook prints nothing and the question stays open", async () => {
    const session = createSession(program, "single-select");
    await session.tell("PreToolUse");
    // On a busy machine it may be over before the hook has reached the daemon.
    const isReleased = async () =>
      (await session.asks()).some(({ deliveries }) => deliveries[0]?.released !== undefined);
    for (let holdMs = 300; !(await isReleased()); holdMs *= 4) {
      const env = { PARLEY_HOLD_MS: String(holdMs) };
      expect(await ended(hook(program, session.payload("PermissionRequest"), { env }))).toEqual(SILENT);
    }
    const ask = await session.ask(({ deliveries }) => deliveries[0]?.released !== undefined);
    expect(ask).toMatchObject({ state: "open", reachable: false, deliveries: [{ released: "deadline" }] });
    await session.tell("PostToolUse");
    await session.ask(({ outcome }) => outcome?.type === "answered-elsewhere");
  });

  test("[H19] an agent that is killed takes its hook with it, and its question is withdrawn", async () => {
    const session = createSession(program, "single-select");
    const agent = startAgent(session);
    await session.ask(isHeld);
    const hookPid = childOf(agent.pid);
    expect(isAlive(nameProcess(hookPid))).toBe(true);
    agent.kill("SIGKILL");
    await agent.exited;
    expect(await holds(() => !isAlive(nameProcess(hookPid)))).toBe(true);
    const ask = await session.ask(({ state }) => state === "closed");
    expect(ask.outcome).toMatchObject({ type: "withdrawn", reason: "agent-exited" });
    // Undefined when the daemon's own look at its agents came before the hook's: FA12.
    expect([undefined, "agent-exited"]).toContain(ask.deliveries[0]?.released);
    expect(readFileSync(join(program.root, `${session.id}.out`), "utf8")).toBe("");
  });

  test("[H20] a session that ends withdraws its questions and lets its hooks go", async () => {
    const session = createSession(program, "terminal-closed");
    const dialog = await asked(session);
    expect(await session.tell("SessionEnd")).toEqual(SILENT);
    expect(await ended(dialog)).toEqual(SILENT);
    const ask = await session.ask(({ state }) => state === "closed");
    expect(ask.outcome).toMatchObject({ type: "withdrawn", reason: "session-ended" });
  });

  test("[H20] what was chosen last is told, though it is written down only after the session said its end", async () => {
    // The daemon waits for it for a moment; a busy machine may write it too late for that.
    await eventually(async () => {
      const session = createSession(program, "single-select");
      const dialog = await asked(session);
      const end = createSession(program, "terminal-closed").payload("SessionEnd");
      const payload = { ...end, session_id: session.id, transcript_path: session.transcript };
      expect(await ended(hook(program, payload))).toEqual(SILENT);
      session.write();
      expect(await ended(dialog)).toEqual(SILENT);
      const ask = await session.ask(({ state }) => state === "closed");
      expect(ask.outcome).toMatchObject({ type: "answered-elsewhere", answers: [{ picks: [1] }] });
    });
  });

  test("[H20] an answer decided before the session ended is kept, not withdrawn", async () => {
    const session = createSession(program, "terminal-closed");
    await session.tell("PreToolUse");
    await settle(program, await session.ask(), { action: "answer", answers: [{ picks: [0] }] });
    await session.tell("SessionEnd");
    expect(await session.ask()).toMatchObject({ state: "settled", outcome: { type: "answered" } });
  });

  test("[H21] the next question in another turn leaves the first behind", async () => {
    const session = createSession(program, "single-select");
    const dialog = await asked(session);
    await session.tell("PreToolUse", 0, { turn: "another-turn", key: "toolu_next" });
    expect(await ended(dialog)).toEqual(SILENT);
    const [first, next] = await session.asks();
    expect(first?.outcome).toMatchObject({ type: "withdrawn", reason: "moved-on" });
    expect(next).toMatchObject({ state: "open", deliveries: [{ key: "toolu_next" }] });
  });

  test("[H22] a turn that ended without a word about its question leaves it behind", async () => {
    const session = createSession(program, "chat");
    const dialog = await asked(session);
    await session.tell("Stop");
    expect(await ended(dialog)).toEqual(SILENT);
    expect((await session.ask(({ state }) => state === "closed")).outcome).toMatchObject({
      type: "withdrawn",
      reason: "moved-on",
    });
  });
});

/** A process that stands for the agent: it starts the dialog's hook and waits for it. */
function startAgent(session: Session): Bun.Subprocess {
  const at = (ending: string) => join(program.root, `${session.id}.${ending}`);
  writeFileSync(at("in"), JSON.stringify(session.payload("PermissionRequest")));
  const script = `/bin/sh -c "$HOOK" < '${at("in")}' > '${at("out")}'; exit 0`;
  const env = { ...agentEnv(program), HOOK: command(program, "PermissionRequest") };
  return Bun.spawn(["/bin/sh", "-c", script], { env, stdio: ["ignore", "ignore", "ignore"] });
}

function childOf(pid: number): number {
  const { stdout } = Bun.spawnSync(["pgrep", "-P", String(pid)]);
  return Number(stdout.toString());
}

describe("a hook that gets through late", () => {
  /** As a hook says it that was called a second before the question was asked. */
  const late = (session: Session, event: string, createdAt: number, pid: number, more: object = {}) =>
    program.client("agent").call("hookCall", {
      body: {
        agent: "claude-code",
        call: crypto.randomUUID(),
        calledAt: createdAt - 1000,
        waits: false,
        payload: { ...session.payload(event), ...more },
        facts: { pid },
      },
    });
  async function stillAnswered(session: Session, dialog: Awaited<ReturnType<typeof asked>>): Promise<void> {
    await settle(program, await session.ask(isHeld), { action: "answer", answers: [{ picks: [0] }] });
    expect((await ended(dialog)).out).toContain("Option A");
  }

  test("[H39] of a session's start: what was asked meanwhile stays open, and is told once", async () => {
    const session = createSession(program, "answered-by-hook");
    const dialog = await asked(session);
    const { createdAt } = await session.ask();
    const resumed = () => late(session, "SessionStart", createdAt, process.pid, { source: "resume" });
    expect((await resumed()).handed).toEqual([]);
    await stillAnswered(session, dialog);
    expect((await resumed()).handed).toEqual([]);
    // A later one is of an agent that comes back without its dialogs.
    const next = createSession(program, "answered-by-hook");
    await asked(next);
    const before = (await next.ask()).createdAt - 60_000;
    await late(next, "SessionStart", before + 120_000, process.pid, { source: "resume" });
    expect(await next.ask(({ state }) => state === "closed")).toMatchObject({ outcome: { type: "withdrawn" } });
  });

  test("[H40] of an agent that is gone: the session goes on in the process it has now", async () => {
    const session = createSession(program, "answered-by-hook");
    const dialog = await asked(session);
    const { createdAt } = await session.ask();
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    for (const event of ["SessionEnd", "Stop"]) await late(session, event, createdAt, gone.pid);
    const { sessions } = await program.client().call("listSessions");
    expect(sessions.find(({ id }) => id === session.id)).toMatchObject({ process: { pid: process.pid } });
    expect(sessions.find(({ id }) => id === session.id)?.endedAt).toBeUndefined();
    await stillAnswered(session, dialog);
  });
});
