import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { OpenEnd } from "../../src/dialog/open-dialog.ts";
import { findRef, refuseTaken } from "../../src/tool/find-ref.ts";
import { createAskUserQuestionTool } from "../../src/tool/tool.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { args, askOf, failure, handDialog, ONE, toolOf } from "./asking.ts";
import { eventually } from "../patience.ts";

const submitted: OpenEnd = { type: "submitted", answers: [{ picks: [1] }] };

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());

describe("a dialog here, racing the inbox", () => {
  test("[TL30] answered here first: the inbox knows, and who comes later is told", async () => {
    const dialog = handDialog();
    const running = toolOf(program, { show: dialog.show }).execute("id", ONE);
    const { id } = await askOf(program);
    await dialog.end(0, submitted);
    expect((await running).details.answers).toEqual({ Database: "Postgres" });
    const ask = await askOf(program, undefined, ({ state }) => state === "verified");
    expect(ask.outcome?.actor).toEqual({ type: "person", surface: "terminal" });
    expect(await program.parley(["answer", id, "1"])).toMatchObject({
      code: 4,
      out: "✗ the terminal was first: Postgres\n",
    });
  });

  test("[TL31] answered elsewhere first: the dialog closes, and the person before it reads why", async () => {
    const dialog = handDialog();
    const told: string[] = [];
    const tool = toolOf(program, { show: dialog.show, told: (sentence) => told.push(sentence) });
    const running = tool.execute("id", ONE);
    const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
    await eventually(() => expect(dialog.state.shown).toBe(1));
    expect((await program.parley(["answer", id, "1"])).code).toBe(0);
    expect((await running).details.answers).toEqual({ Database: "SQLite" });
    expect(dialog.state).toEqual({ shown: 1, closed: 1 });
    await eventually(() => expect(told[0]).toMatch(/^✓ my-agent received "SQLite"/));
  });

  test("[TL32] cancelled here: the question is cancelled everywhere, and what was chosen by then is told", async () => {
    const dialog = handDialog();
    const running = failure(toolOf(program, { show: dialog.show }).execute("id", ONE));
    await askOf(program);
    const entries = [{ picks: [0], other: false, text: "", note: "" }];
    await dialog.end(0, { type: "cancelled", draft: { current: 0, entries } });
    const { outcome, message, answers } = await running;
    expect([outcome, message, answers]).toEqual([
      "cancelled",
      "AskUserQuestion cancelled by user",
      { Database: "SQLite" },
    ]);
    expect((await askOf(program, undefined, ({ state }) => state === "verified")).outcome?.type).toBe("cancelled");
  });

  test("[TL33] several at once: their dialogs come one after the other, their asks at once", async () => {
    const dialog = handDialog();
    const tool = toolOf(program, { show: dialog.show });
    const first = tool.execute("1", args("First?"));
    await askOf(program, "First?", ({ reachable }) => reachable);
    await eventually(() => expect(dialog.state.shown).toBe(1));
    const second = tool.execute("2", ONE);
    const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
    await program.parley(["answer", id, "1"]);
    expect((await second).details.answers).toEqual({ Database: "SQLite" });
    expect(dialog.state.shown).toBe(1);
    await dialog.end(0, { type: "submitted", answers: [{ picks: [0] }, { picks: [2] }] });
    expect((await first).details.answers).toEqual({ Database: "SQLite", Features: "Search" });
  });

  test("[TL34] answered here while the daemon is gone: the agent goes on, and the inbox hears of it later", async () => {
    const dialog = handDialog();
    const running = toolOf(program, { show: dialog.show }).execute("id", ONE);
    await askOf(program, undefined, ({ reachable }) => reachable);
    await program.kill9();
    await dialog.end(0, submitted);
    expect((await running).details.answers).toEqual({ Database: "Postgres" });
    await program.start();
    const ask = await askOf(program, undefined, ({ outcome }) => outcome !== undefined);
    expect(ask.outcome).toMatchObject({ type: "answered", actor: { type: "person", surface: "terminal" } });
  });

  test("[TL35] aborted: the dialog closes and the question is taken back", async () => {
    const controller = new AbortController();
    const dialog = handDialog();
    const tool = toolOf(program, { show: dialog.show });
    const running = failure(tool.execute("id", ONE, controller.signal));
    await askOf(program, undefined, ({ reachable }) => reachable);
    await eventually(() => expect(dialog.state.shown).toBe(1));
    controller.abort();
    expect((await running).message).toBe("Operation aborted");
    await tool.idle();
    expect(dialog.state).toEqual({ shown: 1, closed: 1 });
    expect((await askOf(program)).sentence).toBe("✗ withdrawn: my-agent took the question back");
  });

  test("[TL39] a dialog that breaks is an error, and leaves no question behind", async () => {
    const tool = toolOf(program, { show: () => Promise.reject(new Error("the terminal is gone")) });
    const { outcome, message } = await failure(tool.execute("id", ONE));
    expect([outcome, message]).toEqual(["invalid", "the terminal is gone"]);
    await tool.idle();
    expect((await askOf(program)).sentence).toBe("✗ withdrawn: my-agent took the question back");
  });

  test("[TL36] without a daemon the dialog alone is asked", async () => {
    await program.parley(["down"]);
    const dialog = handDialog();
    const running = toolOf(program, { show: dialog.show }).execute("id", ONE);
    await dialog.end(0, submitted);
    expect((await running).details.answers).toEqual({ Database: "Postgres" });
  });
});

describe("which of them", () => {
  test("[TL37] the daemon and the dialog where there are both; without both there is no tool", async () => {
    const env = { PARLEY_HOME: program.home };
    const dialog = handDialog();
    const both = await findRef({ agent: "my-agent", env, show: dialog.show });
    void createAskUserQuestionTool(both ?? {}).execute("id", ONE);
    const { id } = await askOf(program, undefined, ({ reachable }) => reachable);
    await eventually(() => expect(dialog.state.shown).toBe(1));
    await program.parley(["answer", id, "1"]);
    expect(await findRef({ agent: "my-agent", env })).toBeDefined();
    await program.parley(["down"]);
    expect(await findRef({ agent: "my-agent", env })).toBeUndefined();
    expect(await findRef({ agent: "my-agent", env, show: dialog.show })).toBeDefined();
  });

  test("[TL38] a tool of that name that is there already is an error that names both", () => {
    const theirs = { name: "ask_user_question", source: "/home/me/ext/question.ts" };
    expect(() => refuseTaken([{ name: "bash" }, theirs])).toThrow(
      "Two tools are called ask_user_question: one of /home/me/ext/question.ts, one of Parley. Remove one of them.",
    );
    expect(() => refuseTaken([{ name: "bash" }])).not.toThrow();
  });
});
