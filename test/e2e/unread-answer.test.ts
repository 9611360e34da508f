import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AskView } from "../../src/protocol/view.ts";
import { createSession, ended, hook, isHeld, settle } from "./hook-stage.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

type Result = Record<string, unknown>;
const change = (result: unknown, answers: unknown): Result => ({ ...(result as Result), answers });
const isClosed = ({ state }: AskView) => state === "closed";
const said = async (...args: string[]) => (await program.parley(args)).out;

async function asked(name: string) {
  const session = createSession(program, name);
  await session.tell("PreToolUse");
  const dialog = session.fire("PermissionRequest");
  await session.ask(isHeld);
  return { session, dialog };
}

/** The person answers in the terminal, and the agent's hook reports it in a form of its own. */
async function answeredThere(answers: unknown, name = "single-select"): Promise<AskView> {
  const { session, dialog } = await asked(name);
  const payload = session.payload("PostToolUse");
  await ended(hook(program, { ...payload, tool_response: change(payload["tool_response"], answers) }));
  await ended(dialog);
  return session.ask(isClosed);
}

describe("answered in the terminal, in a form that is not known", () => {
  test.each([
    [{ "0": "Option B" }, '{"0":"Option B"}'],
    [{ q1: { label: "Option B" } }, '{"q1":{"label":"Option B"}}'],
    [["Option B"], '["Option B"]'],
    ["Option B", '"Option B"'],
    [{ "Which one?": ["Option B"] }, /^\{"Which one\?":\["Option B"\]\}$/],
  ])("[SF50] %j: that it could not be read is said, with what stands there", async (answers, raw) => {
    const ask = await answeredThere(answers);
    const unread = ask.outcome?.answers?.[0]?.unread ?? "";
    expect(unread).toMatch(raw);
    const words = `✗ answered in the terminal; the answer could not be read: ${unread}`;
    expect(ask.sentence).toBe(words);
    const show = await said("show", ask.id);
    expect(show).toContain(words);
    expect(show).toContain(`✗ could not be read: ${unread}\n`);
    expect(await said("ls", "--done")).toContain("the answer could not be read: ");
    expect(await said("why", ask.id)).toContain("could not be read");
    expect(await said("log", ask.id)).toContain(`could not be read: ${unread}`);
    expect(JSON.parse(await said("show", ask.id, "--json"))).toMatchObject({
      outcome: { type: "answered-elsewhere", answers: [{ picks: [], unread }] },
      sentence: words,
    });
    const late = await program.parley(["answer", ask.id, "1"]);
    expect([late.code, late.out]).toEqual([4, `✗ the terminal was first: (could not be read: ${unread})\n`]);
  });

  test("[SF51] an empty record of answers is said to hold none", async () => {
    const ask = await answeredThere({});
    expect(ask.sentence).toBe("✗ answered in the terminal; the answer is not in the agent's record");
    expect(await said("show", ask.id)).toContain("✗ no answer in the agent's record\n");
  });

  test("[SF52] of several questions what can be read is told, and what cannot", async () => {
    const session = createSession(program, "four-questions");
    const { answers = {} } = session.payload("PostToolUse")["tool_response"] as { answers?: Record<string, string> };
    const [[first, second] = [], ...others] = Object.entries(answers);
    const mixed = { [first ?? ""]: second, ...Object.fromEntries(others.map(([, value], i) => [i + 1, value])) };
    const ask = await answeredThere(mixed, "four-questions");
    const raw = JSON.stringify(Object.fromEntries(others.map(([, value], i) => [i + 1, value])));
    expect(ask.outcome?.answers?.map(({ unread }) => unread)).toEqual([undefined, raw, raw, raw]);
    expect(ask.sentence).toStartWith(`✗ answered in the terminal: ${second}; (could not be read: {"1":`);
    expect(await said("show", ask.id)).toContain(`✗ could not be read: ${raw}\n`);
  });

  test("[SF53] a long or hostile record is bounded and acts on no terminal", async () => {
    const ask = await answeredThere({ "0": `\u001b]0;x\u0007${"y".repeat(100_000)}` });
    expect(ask.outcome?.answers?.[0]?.unread?.length).toBeLessThanOrEqual(2001);
    expect(ask.sentence.length).toBeLessThan(400);
    expect(await said("show", ask.id)).not.toContain("\u001b");
  });

  test("[SF54] a bug report hides its words", async () => {
    const ask = await answeredThere({ "0": "Option B, secretly" });
    await program.parley(["bug-report", ask.id, "--out", `${program.root}/report.json`]);
    expect(await Bun.file(`${program.root}/report.json`).text()).not.toContain("secretly");
  });
});

describe("our answer, in a record of the agent's that cannot be read", () => {
  test("[SF55] is neither confirmed nor said to be another one", async () => {
    const { session, dialog } = await asked("answered-by-hook");
    const { questions } = await session.ask();
    await settle(program, await session.ask(), { action: "answer", answers: questions.map(() => ({ picks: [0] })) });
    await ended(dialog);
    session.writeChanged((line) =>
      "toolUseResult" in line ? { ...line, toolUseResult: change(line["toolUseResult"], { "0": "Option A" }) } : line,
    );
    const ask = await session.ask(({ state }) => state === "mismatched");
    expect(ask.sentence).toBe('✗ what Claude Code received could not be read: {"0":"Option A"}');
    expect(await said("show", ask.id)).toContain(ask.sentence);
  });
});
