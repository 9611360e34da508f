import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { notice, prompt, SUGGESTED, TOUCH } from "./comfort-prompt.ts";
import { linesOf, timeless } from "./cli-words.ts";
import { typing } from "./comfort-terminal.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());
const answer = (...args: string[]) => program.parley(["answer", ...args], { env: UNTIL_RECEIVED });
const show = async (id: string) => (await program.parley(["show", id])).out;
const PLAN = { tool: "ExitPlanMode", input: { plan: "# Plan\n\n1. Read\n2. Write" } };

describe("approvals", () => {
  test("[AP1] a permission prompt is shown with its tool, its command and one option for each effect, in words", async () => {
    const asked = await prompt(program);
    const { out: row } = await program.parley(["ls"]);
    expect(timeless(row)).toBe(`${asked.id.slice(0, 6)}  TIME  user  [approval] $ touch /home/dev/touched\n`);
    const shown = linesOf(await show(asked.id));
    expect(shown[0]).toStartWith(`${asked.id.slice(0, 6)}  [approval] … waiting for an answer`);
    expect(shown.slice(2, 11)).toEqual([
      "[Bash] Allow this command?",
      "     │ $ touch /home/dev/touched",
      "     │ # Makes a file",
      "  1. Approve - Allow it this once",
      "  2. Also work in /home/dev - Approve, and allow work in /home/dev in this session",
      "  3. Always allow Bash(npm test:*) - Approve, and allow Bash(npm test:*) without asking in this project, for you",
      "  4. Switch to mode acceptEdits (high stakes) - Approve, and accept every file edit without asking in this session",
      "  5. Deny - Do not allow it; a note tells the agent why",
      "  6. Deny and stop - Deny it and stop the turn, as Esc does",
    ]);
    await asked.hangsUp();
  });

  test.each([
    ["1", undefined],
    ["2", [SUGGESTED[0]]],
    ["3", [SUGGESTED[1]]],
    ["4", [SUGGESTED[2]]],
  ])("[AP2] option %s allows it with exactly the one suggestion picked", async (pick, updatedPermissions) => {
    const asked = await prompt(program);
    const [{ code, out }, decision] = await Promise.all([answer(asked.id, pick), asked.takes()]);
    expect(decision).toEqual({
      behavior: "allow",
      updatedInput: TOUCH.input,
      ...(updatedPermissions && { updatedPermissions }),
    } as never);
    expect([code, out.startsWith("✓ Claude Code received ")]).toEqual([0, true]);
  });

  test.each([
    [["5"], "denied", { behavior: "deny", message: "The user does not allow this." }],
    [
      ["5", "-m", "not there"],
      'denied: "not there"',
      { behavior: "deny", message: "The user does not allow this: not there" },
    ],
    [["-m", "use /tmp"], 'denied: "use /tmp"', { behavior: "deny", message: "The user does not allow this: use /tmp" }],
    [["--decline", "-m", "no"], 'denied: "no"', { behavior: "deny", message: "The user does not allow this: no" }],
    [["6"], "denied and stopped", { behavior: "deny", message: CANCELLED("."), interrupt: true }],
    [["--cancel"], "denied and stopped", { behavior: "deny", message: CANCELLED("."), interrupt: true }],
    [
      ["6", "-m", "think first"],
      'denied and stopped: "think first"',
      { behavior: "deny", message: CANCELLED(": think first") },
    ],
    [
      ["--cancel", "-m", "think first"],
      'denied and stopped: "think first"',
      { behavior: "deny", message: CANCELLED(": think first") },
    ],
    [
      ["--chat", "why?"],
      undefined,
      { behavior: "deny", message: "The user wants to talk about this before answering: why?" },
    ],
  ])("[AP3] %j denies it, with its words, and the receipt says so: %s", async (words, said, told) => {
    const asked = await prompt(program);
    const [{ code, out }, decision] = await Promise.all([answer(asked.id, ...words), asked.takes()]);
    expect(decision).toEqual(told);
    expect([code, out.startsWith(said ? `✓ ${said}; Claude Code received it ` : "✓ Claude Code received ")]).toEqual([
      0,
      true,
    ]);
  });

  test("[AP4] another hook that said no is not taken for a person who said yes", async () => {
    const asked = await prompt(program);
    asked.result("blocked by policy", true, { permissionDecision: { decision: "reject", source: "hook" } });
    await asked.hangsUp();
    const human = program.client();
    expect(await holds(async () => (await human.call("getAsk", { id: asked.id })).outcome !== undefined)).toBe(true);
    expect((await human.call("getAsk", { id: asked.id })).sentence).toBe("✗ denied by another hook");
  });

  test("[AP5] what would be done is bounded, safe, and what runs is never pushed out of sight", async () => {
    const evil = "\u001b]0;x\u0007\u001b[2J\u202e";
    const description = `${evil}harmless\n$ ls\n`.repeat(2000);
    const bash = await prompt(program, { tool: "Bash", input: { command: `rm -rf ${evil}important`, description } });
    const edit = { file_path: `/x${evil}`, old_string: "old\n".repeat(9000), new_string: "new secret\n".repeat(9000) };
    const edited = await prompt(program, { tool: "Edit", input: edit });
    const lines = linesOf(await show(bash.id));
    expect(lines[3]).toBe("     │ $ rm -rf important");
    expect(lines.filter((line) => line.startsWith("     │ # "))).toHaveLength(1);
    const { questions } = await program.client().call("getAsk", { id: edited.id });
    expect(questions[0]?.body).toContain("+ new secret");
    for (const id of [bash.id, edited.id]) {
      const shown = await show(id);
      expect(shown).not.toMatch(/[\u001b\u0007\u202e]/);
      expect(linesOf(shown).length).toBeLessThan(70);
    }
    await Promise.all([bash.hangsUp(), edited.hangsUp()]);
  });

  test("[AP6] only a person settles it: an agent, also another one, is refused", async () => {
    const asked = await prompt(program);
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "another-session" };
    const refused = await program.parley(["answer", asked.id, "1"], { env });
    expect(refused).toEqual({ code: 77, out: "", err: "✗ Only a person may settle an approval\n" });
    await asked.hangsUp();
  });

  test("[AP7] equal prompts of two agents stay two: each is about its own call", async () => {
    const [a, b] = [await prompt(program), await prompt(program)];
    expect((await program.parley(["ls"])).out).not.toContain("×");
    const [, decision] = await Promise.all([program.parley(["answer", a.id, "1", "--same"]), a.takes()]);
    expect(decision.behavior).toBe("allow");
    expect((await program.client().call("getAsk", { id: b.id })).state).toBe("open");
    await b.hangsUp();
  });
});

describe("plans", () => {
  test("[AP10] the plan is shown, with the ways to approve and to deny it", async () => {
    const asked = await prompt(program, PLAN);
    const shown = await show(asked.id);
    expect(shown).toContain("[Plan] Approve this plan?\n     │ # Plan\n     │\n     │ 1. Read\n     │ 2. Write\n");
    expect(linesOf(shown).filter((line) => /^ {2}\d\. /.test(line))).toEqual([
      "  1. Approve, ask for edits - Start; it asks before each edit, as usual",
      "  2. Approve, and accept edits (high stakes) - Start, and accept every file edit in this session without asking",
      "  3. Deny - Keep planning; a note says what to change",
      "  4. Deny and stop - Deny it and stop the turn, as Esc does",
    ]);
    expect((await program.parley(["ls"])).out).toContain("[plan] 1. Read");
    await asked.hangsUp();
  });

  test.each([
    [["1"], { behavior: "allow", updatedInput: PLAN.input, updatedPermissions: [mode("default")] }],
    [["2"], { behavior: "allow", updatedInput: PLAN.input, updatedPermissions: [mode("acceptEdits")] }],
    [["3", "-m", "smaller"], { behavior: "deny", message: "The user wants the plan revised: smaller" }],
    [["-m", "test it too"], { behavior: "deny", message: "The user wants the plan revised: test it too" }],
    [["4"], { behavior: "deny", message: CANCELLED("."), interrupt: true }],
  ])("[AP11] %j reaches the agent", async (words, told) => {
    const asked = await prompt(program, PLAN);
    const [{ code }, decision] = await Promise.all([program.parley(["answer", asked.id, ...words]), asked.takes()]);
    expect(decision).toEqual(told as never);
    expect(code).toBe(0);
  });
});

describe("attention rows", () => {
  test("[AP20] a dialog that no hook can answer is shown, says so, is refused an answer and can be dismissed", async () => {
    const ask = await notice(program, "Choose a colour\u001b[2J");
    const { out } = await program.parley(["ls"]);
    expect(out).toContain("[elicitation] Choose a colour\n");
    const shown = await show(ask.id);
    expect(linesOf(shown).slice(-2)).toEqual([
      "Only the agent's own terminal can answer this.",
      `Dismiss it: parley answer ${ask.id.slice(0, 6)} --decline`,
    ]);
    expect(shown).not.toContain("parley decision resolve");
    for (const words of [["1"], ["-m", "go on"]])
      expect(await program.parley(["answer", ask.id, ...words])).toEqual({
        code: 4,
        out: "",
        err: "✗ Only the agent's own terminal can answer this\n",
      });
    const { err } = await program.parley(["answer", ask.id, "-m", "x", "--json"]);
    expect(JSON.parse(err).error.code).toBe("not_answerable");
    expect((await program.parley(["answer", ask.id, "--decline"])).code).toBe(0);
    expect((await program.parley(["ls"])).out).not.toContain("Choose a colour");
  });

  test("[AP21] one with a pane names the way there", async () => {
    const env = { TMUX: "/nowhere/default,1,0", TMUX_PANE: "%7" };
    const ask = await notice(program, "Choose a theme", "elicitation_dialog", env);
    const id = ask.id.slice(0, 6);
    expect(linesOf(await show(ask.id)).at(-2)).toBe(
      `Only the agent's own terminal can answer this. Go there: parley jump ${id}`,
    );
    expect((await program.parley(["answer", ask.id, "-m", "x"])).err).toBe(
      "✗ Only the agent's own terminal can answer this (tmux pane %7)\n",
    );
  });

  test("[AP22] review does not ask about it, and lists it in the end", async () => {
    const ask = await notice(program, "Waiting in the terminal");
    const { asks } = await program.client().call("listAsks");
    const screen = typing(program, ["review"]);
    for (const { deliveries } of asks)
      if (deliveries.some(({ channel }) => channel !== "none")) await screen.type("Answer (? for help):", "s\r");
    expect((await screen.ended()).text).toContain(`${ask.id.slice(0, 6)}  [elicitation] Waiting in the terminal\n`);
  });
});

function CANCELLED(rest: string): string {
  return `The user cancelled this question; stop here and wait for them${rest}`;
}
function mode(name: string) {
  return { type: "setMode", mode: name, destination: "session" };
}
