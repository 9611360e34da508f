import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSession, ended, eventsOf, held, hook, isHeld, settle, SILENT } from "./hook-stage.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const answerOf = (output: string): unknown => {
  const { hookSpecificOutput } = JSON.parse(output) as { hookSpecificOutput: { decision: { updatedInput: unknown } } };
  return (hookSpecificOutput.decision.updatedInput as { answers: unknown }).answers;
};

describe("capturing", () => {
  test("[H1] a question heard before and at its dialog is one Ask, held at the dialog", async () => {
    const session = createSession(program, "single-select");
    expect(await session.tell("PreToolUse")).toEqual(SILENT);
    const before = await session.ask();
    expect(before.reachable).toBe(false);
    const dialog = session.fire("PermissionRequest");
    const ask = await session.ask(isHeld);
    expect(ask.id).toBe(before.id);
    expect(ask.deliveries).toMatchObject([{ key: "toolu_ask", state: "waiting", channel: "race", racing: true }]);
    await settle(program, ask, { action: "decline" });
    await ended(dialog);
  });

  test("[H2] the dialog heard first and the id later is still one Ask", async () => {
    const session = createSession(program, "single-select");
    const dialog = session.fire("PermissionRequest");
    const nameless = await session.ask(isHeld);
    expect(nameless.deliveries[0]?.key).toStartWith("call:");
    expect(await session.tell("PreToolUse")).toEqual(SILENT);
    const ask = await session.ask(isHeld);
    expect(ask.id).toBe(nameless.id);
    expect(ask.deliveries).toMatchObject([{ key: "toolu_ask", state: "waiting", racing: true }]);
    await settle(program, ask, { action: "answer", answers: [{ picks: [1] }] });
    expect(answerOf((await ended(dialog)).out)).toEqual({ "Which approach should we use?": "Option B" });
  });

  test("[CN14] what the hook prints holds no character that steers a terminal or hides, and means the same", async () => {
    const session = createSession(program, "single-select");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    const text = "in\u200bvisible \u202eback\u202c \ufeff\u00ad\u{e0041} \x9b31m";
    await settle(program, await session.ask(isHeld), { action: "answer", answers: [{ picks: [], text }] });
    const { out } = await ended(dialog);
    expect(out.trimEnd()).toMatch(/^[\x20-\x7e]+$/);
    expect(answerOf(out)).toEqual({ "Which approach should we use?": text });
  });

  test("[H3] hooks that are registered twice make one Ask, and only one of them prints the answer", async () => {
    const session = createSession(program, "single-select");
    await Promise.all([session.tell("PreToolUse"), session.tell("PreToolUse")]);
    const dialogs = [session.fire("PermissionRequest"), session.fire("PermissionRequest")];
    const ask = await session.ask(isHeld);
    expect(ask.deliveries).toHaveLength(1);
    const isHeldTwice = async () =>
      (await eventsOf(program, ask)).filter(({ type }) => type === "ask.held").length === 2;
    expect(await holds(isHeldTwice)).toBe(true);
    await settle(program, ask, { action: "answer", answers: [{ picks: [0] }] });
    const prints = (await Promise.all(dialogs.map((child) => ended(child)))).map(({ out }) => out);
    expect(prints.filter((out) => out === "")).toHaveLength(1);
    expect(prints.filter((out) => out !== "").map(answerOf)).toEqual([{ "Which approach should we use?": "Option A" }]);
  });

  test("[H4] the same question twice in one message is one Ask with two deliveries; one answer reaches both", async () => {
    const session = createSession(program, "twins-in-one-message");
    await Promise.all([session.tell("PreToolUse", 0), session.tell("PreToolUse", 1)]);
    const dialogs = [session.fire("PermissionRequest", 0), session.fire("PermissionRequest", 1)];
    const ask = await session.ask(held(2));
    expect(ask.deliveries.map(({ key }) => key).toSorted()).toEqual(["toolu_first", "toolu_second"]);
    await settle(program, ask, { action: "answer", answers: [{ picks: [2] }] });
    for (const child of dialogs)
      expect(answerOf((await ended(child)).out)).toEqual({ "Which approach should we use?": "Option C" });
    expect((await session.ask(({ state }) => state === "delivered")).deliveries).toMatchObject([
      { state: "sent" },
      { state: "sent" },
    ]);
  });

  test("[H5] two different questions in one message are two Asks, held at once", async () => {
    const session = createSession(program, "two-in-one-message");
    await Promise.all([session.tell("PreToolUse", 0), session.tell("PreToolUse", 1)]);
    const dialogs = [session.fire("PermissionRequest", 0), session.fire("PermissionRequest", 1)];
    expect(await holds(async () => (await session.asks()).filter(isHeld).length === 2)).toBe(true);
    const asks = await session.asks();
    const database = asks.find(({ questions }) => questions[0]?.text === "Which database?")!;
    await settle(program, database, { action: "answer", answers: [{ picks: [0] }] });
    const [, second] = dialogs;
    expect(answerOf((await ended(second!)).out)).toEqual({ "Which database?": "SQLite" });
    const other = asks.find(({ id }) => id !== database.id)!;
    expect((await session.asks()).find(({ id }) => id === other.id)).toMatchObject({ state: "open", reachable: true });
    await settle(program, other, { action: "decline" });
    await ended(dialogs[0]!);
  });
});

describe("answering", () => {
  test("[H6] an answer through the API is printed once, exactly, and proved by the transcript", async () => {
    const session = createSession(program, "answered-by-hook");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    const ask = await session.ask(isHeld);
    await settle(program, ask, { action: "answer", answers: [{ picks: [1] }] });
    const { tool_input } = session.payload("PermissionRequest");
    expect(await ended(dialog)).toEqual({
      code: 0,
      err: "",
      out: JSON.stringify({
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: {
            behavior: "allow",
            updatedInput: {
              ...(tool_input as object),
              answers: { "Which approach should we use?": "Option B" },
              annotations: {},
            },
          },
        },
      }),
    });
    await session.ask(({ state }) => state === "delivered");
    const sent = (await eventsOf(program, ask)).filter(({ type }) => type === "ask.sent");
    expect(sent).toEqual([expect.objectContaining({ type: "ask.sent", key: "toolu_ask", channel: "race" }) as never]);
    session.write();
    await session.tell("PostToolUse");
    const done = await session.ask(({ state }) => state === "verified");
    expect(done.sentence).toMatch(/^✓ Claude Code received "Option B" \(/);
  });

  test("[H6] the agent's version decides how an answer is written", async () => {
    const written: unknown[] = [];
    for (const version of ["2.1.197", "2.1.325"]) {
      const session = createSession(program, "multi-select-commas-quotes", version);
      session.write((line) => line.includes('"tool_use"'));
      await session.tell("PreToolUse");
      const dialog = session.fire("PermissionRequest");
      const ask = await session.ask(isHeld);
      await settle(program, ask, { action: "answer", answers: [{ picks: [0, 1, 2], text: 'plus, my "own"' }] });
      const native = session.payload("PostToolUse")["tool_response"] as { answers: unknown };
      const answers = answerOf((await ended(dialog)).out);
      expect(answers).toEqual(native.answers);
      written.push(answers);
    }
    expect(written[0]).not.toEqual(written[1]);
  });

  test("[H7] a refusal is printed as a denial with the person's words", async () => {
    const session = createSession(program, "denied-by-hook");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    await settle(program, await session.ask(isHeld), { action: "chat", message: "which one is cheaper?" });
    expect(JSON.parse((await ended(dialog)).out)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: {
          behavior: "deny",
          message: "The user wants to talk about this before answering: which one is cheaper?",
        },
      },
    });
  });

  test("[H8] an answer given before the dialog's hook comes is there when it comes", async () => {
    const session = createSession(program, "single-select");
    await session.tell("PreToolUse");
    await settle(program, await session.ask(), { action: "answer", answers: [{ picks: [2] }] });
    const { out } = await ended(session.fire("PermissionRequest"));
    expect(answerOf(out)).toEqual({ "Which approach should we use?": "Option C" });
  });

  test("[H9] held before any dialog, an answer allows the tool and nobody races", async () => {
    const session = createSession(program, "held-by-pretooluse");
    const before = hook(program, session.payload("PreToolUse"), { args: ["--hold"] });
    const ask = await session.ask(isHeld);
    expect(ask.deliveries).toMatchObject([{ key: "toolu_ask", channel: "hold", racing: false }]);
    await settle(program, ask, { action: "answer", answers: [{ picks: [1] }] });
    const input = session.payload("PreToolUse")["tool_input"] as object;
    expect(JSON.parse((await ended(before)).out)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { ...input, answers: { "Which approach should we use?": "Option B" }, annotations: {} },
      },
    });
    session.write();
    await session.ask(({ state }) => state === "verified");
  });

  test("[H10] another answer in the agent's record than a hook that nobody raced gave is a mismatch", async () => {
    const session = createSession(program, "held-by-pretooluse");
    const before = hook(program, session.payload("PreToolUse"), { args: ["--hold"] });
    await settle(program, await session.ask(isHeld), { action: "answer", answers: [{ picks: [0] }] });
    await ended(before);
    session.write();
    const ask = await session.ask(({ state }) => state === "mismatched");
    expect(ask.sentence).toBe('✗ Claude Code received something else: sent "Option A", received "Option B"');
  });

  test("[H11] a session that came back after a kill is told what was kept, once, and its transcript proves it", async () => {
    const session = createSession(program, "killed-and-resumed");
    await session.tell("PreToolUse");
    const dialog = session.fire("PermissionRequest");
    const held = await session.ask(isHeld);
    dialog.kill("SIGKILL");
    await session.ask(({ reachable }) => !reachable);
    await settle(program, held, { action: "answer", answers: [{ picks: [1] }] });
    const { out } = await session.tell("SessionStart", 1);
    const context = `- [parley ${held.id}] [Approach] Which approach should we use? → answered: Option B`;
    const output = JSON.parse(out) as { hookSpecificOutput: { additionalContext: string } };
    expect(output.hookSpecificOutput.additionalContext).toContain(context);
    await session.ask(({ state }) => state === "delivered");
    const line = { type: "attachment", attachment: { type: "hook_additional_context", content: [context] } };
    session.append(JSON.stringify(line));
    expect((await session.ask(({ state }) => state === "verified")).deliveries[0]?.detail).toBe(
      "told to the resumed session",
    );
    expect(await session.tell("SessionStart", 1)).toEqual(SILENT);
  });
});
