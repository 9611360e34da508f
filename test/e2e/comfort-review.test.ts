import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { question } from "./api-request.ts";
import { create, features, listen, store, timeless } from "./cli-words.ts";
import { typing } from "./comfort-terminal.ts";
import { createProgram, holds, type Program } from "./program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());
afterEach(async () => {
  const { asks } = await program.client().call("listAsks");
  for (const { id } of asks) await program.client().call("settleAsk", { id, body: { action: "cancel" } });
});
const outcome = async ({ id }: { id: string }) => (await program.client().call("getAsk", { id })).outcome;
const PROMPT = "Answer (? for help):";

test("[CF1] review goes through everything that waits, longest waiting first, and ends", async () => {
  const first = await create(program, [store], { project: "billing", branch: "main", agent: "CI" });
  const second = await create(program, [store, features], { project: "shop" });
  const third = await create(program, [question("Third", { question: "Third?" })]);
  const screen = typing(program, ["review"]);
  const page = await screen.type(PROMPT, "2 = but small\r");
  expect(page).toContain(`${first.id.slice(0, 6)}  CI · billing · main  3 questions left\n`);
  expect(page).toContain("  1. SQLite - one file\n  2. PostgreSQL - a server\n");
  expect(await screen.shows("2 questions left")).toContain('… saved: "PostgreSQL (note: but small)"');
  await screen.type(PROMPT, "1 1,3\r");
  await screen.type(PROMPT, "= my own words = really\r");
  const { code, text } = await screen.ended();
  expect([code, text.endsWith("Nothing left to answer.\n")]).toEqual([0, true]);
  expect(await outcome(first)).toMatchObject({
    answers: [{ picks: [1], note: "but small" }],
    actor: { surface: "cli" },
  });
  expect(await outcome(second)).toMatchObject({ answers: [{ picks: [0] }, { picks: [0, 2] }] });
  expect(await outcome(third)).toMatchObject({ answers: [{ picks: [], text: "my own words = really" }] });
});

test("[CF2] wrong words are said so and asked again; nothing is skipped by a typing mistake", async () => {
  const ask = await create(program, [store]);
  const screen = typing(program, ["review"]);
  await screen.type(PROMPT, "9\r");
  expect(await screen.type(PROMPT, "\r")).toContain("There is no option 9 (1-2)\n");
  expect(await screen.type(PROMPT, "nonsense\r")).toContain("d [words]    deny or decline");
  expect(await screen.type(PROMPT, "c\r")).toContain('No option is called "nonsense"');
  expect(await screen.type(PROMPT, "PostgreSQL\r")).toContain("Chat needs a message");
  expect((await screen.ended()).code).toBe(0);
  expect(await outcome(ask)).toMatchObject({ type: "answered", answers: [{ picks: [1] }] });
});

test("[CF3] decline, talk about it, skip and stop", async () => {
  const asks = [];
  for (const text of ["A?", "B?", "C?", "D?"]) asks.push(await create(program, [question("H", { question: text })]));
  const screen = typing(program, ["review"]);
  for (const keys of ["d not now\r", "c why so?\r", "s\r", "q\r"]) await screen.type(PROMPT, keys);
  expect((await screen.ended()).code).toBe(0);
  expect(await Promise.all(asks.map(outcome))).toMatchObject([
    { type: "declined", message: "not now" },
    { type: "chat", message: "why so?" },
    undefined,
    undefined,
  ] as never);
});

test("[CF4] who was first meanwhile is told, and review goes on", async () => {
  const ask = await create(program, [store]);
  const screen = typing(program, ["review"]);
  await screen.shows(PROMPT);
  const body = { action: "answer" as const, answers: [{ picks: [0] }], surface: "web" };
  await program.client().call("settleAsk", { id: ask.id, body });
  await screen.type(PROMPT, "2\r");
  const { text } = await screen.ended();
  expect(timeless(text)).toContain("✗ too late: answered by web TIME ago: SQLite\n");
});

test("[CF5] the receipt is shown for each answer", async () => {
  const ask = await create(program, [store]);
  const { taken } = await listen(program, ask);
  const screen = typing(program, ["review"], UNTIL_RECEIVED);
  await screen.type(PROMPT, "1\r");
  await taken;
  expect(timeless((await screen.ended()).text)).toContain('✓ script received "SQLite" (TIME)\n');
});

test("[CF6] with nothing to do it says so; without a terminal it is refused in words", async () => {
  expect((await typing(program, ["review"]).ended()).text).toBe("Nothing waits for you.\n");
  const err = "✗ Reviewing needs a terminal; see: parley ls, parley answer\n";
  expect(await program.parley(["review"])).toEqual({ code: 2, out: "", err });
});

test("[CF9] one answer in review is for every agent that asks the same, if the person says so", async () => {
  const asks = [];
  for (let i = 0; i < 3; i++) asks.push(await create(program, [store], { project: "billing" }));
  const screen = typing(program, ["review"]);
  await screen.type(PROMPT, "1\r");
  await screen.type("2 other agents asked the same. Give them this answer too? [y/N]", "y\r");
  expect((await screen.ended()).text.match(/saved: "SQLite"/g)).toHaveLength(3);
  for (const outcomeOf of await Promise.all(asks.map(outcome)))
    expect(outcomeOf).toMatchObject({ answers: [{ picks: [0] }] });
});

test("[CF7] hostile text on the way through review acts on no terminal", async () => {
  await create(program, [question("H", { question: "\u001b]0;x\u0007\u001b[2Jevil\u202e?" })], {
    project: "\u001b[31mp",
  });
  const screen = typing(program, ["review"]);
  const page = await screen.type(PROMPT, "q\r");
  expect(page).toContain("evil?");
  expect(page).not.toMatch(/[\u001b\u0007\u202e]/);
  await screen.ended();
});

test("[CF8] status --watch shows the state anew as things happen, and Ctrl-C ends it well", async () => {
  const screen = typing(program, ["status", "--watch"]);
  await screen.shows("Nothing waits for you\n");
  const ask = await create(program, [store], { project: "billing" });
  const row = `  ${ask.id.slice(0, 6)}  [question] billing · TIME · Which database?\n`;
  // All of it is written at once; a terminal may hand it over in parts.
  expect(await holds(() => timeless(screen.screen()).includes(row))).toBe(true);
  await screen.type("1 question waits for you\n", "");
  await program.parley(["answer", ask.id, "1"]);
  await screen.shows("Nothing waits for you\n");
  screen.child.terminal?.write("\u0003");
  expect((await screen.ended()).code).toBe(0);
});

test("[SX35] Ctrl-D is no Enter: review ends with its question open, and [Y/n] is not agreed to", async () => {
  const ask = await create(program, [store]);
  const review = typing(program, ["review"]);
  await review.type(PROMPT, "\r");
  await review.type(PROMPT, "\u0004");
  expect((await review.ended()).code).toBe(0);
  expect(await outcome(ask)).toBeUndefined();
  const up = typing(program, ["up"]);
  await up.type("so that you can type parley? [Y/n]", "\u0004");
  expect((await up.ended()).text).toContain("Command: ");
  expect(existsSync(join(program.user, ".local/bin/parley"))).toBe(false);
});
