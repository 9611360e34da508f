import { afterAll, beforeAll, expect, test } from "bun:test";
import { UNTIL_RECEIVED } from "../patience.ts";
import { prompt } from "./comfort-prompt.ts";
import { typing } from "./comfort-terminal.ts";
import { create, linesOf, timeless } from "./cli-words.ts";
import { createProgram, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  await program.start();
});
afterAll(() => program.dispose());

const asks = (command: string) => prompt(program, { tool: "Bash", input: { command, description: "x" } });
const state = async (id: string) => (await program.client().call("getAsk", { id })).state;

test("[BK1] answer --bulk shows what will happen, takes those that are ticked after one confirmation, and shows each receipt; what was answered meanwhile is said for its row", async () => {
  const [test1, risky, late] = [await asks("npm test"), await asks("rm -rf build"), await asks("npm run lint")];
  const short = (asked: { id: string }) => asked.id.slice(0, 6);
  const bulk = typing(program, ["answer", "--bulk"], UNTIL_RECEIVED);
  const table = await bulk.shows("Approve which? [Enter: the 2 not held back");
  expect(linesOf(table).slice(0, 4)).toEqual([
    `  1  ${short(test1)}  approve  user  $ npm test`,
    `  2  ${short(risky)}  look     user  $ rm -rf build`,
    '             held back: at stake: destructive ("rm -rf")',
    `  3  ${short(late)}  approve  user  $ npm run lint`,
  ]);
  await Promise.all([program.parley(["answer", late.id, "Deny", "--only"], { env: UNTIL_RECEIVED }), late.takes()]);
  await bulk.type("none] ", "\n");
  await Promise.all([bulk.type("Approve 2 calls (1, 3)? [y/N] ", "y\n"), test1.takes()]);
  const { code, text } = await bulk.ended();
  expect(code).toBe(4);
  expect(timeless(text).replace(/TIME ago|now/, "AGO")).toContain(
    [
      `${short(test1)}  $ npm test`,
      '        ✓ Claude Code received "Approve" (TIME)',
      `${short(late)}  $ npm run lint`,
      "        ✗ too late: denied by cli AGO",
      "",
    ].join("\n"),
  );
  expect(await state(risky.id)).toBe("open");
  await risky.hangsUp();
  await program.parley(["answer", risky.id, "--decline"]);
});

test("[BK2] what is held back is allowed in bulk only where it is named; without a yes nothing is; all can be denied", async () => {
  const [plain, risky] = [await asks("npm test"), await asks("git push --force")];
  const listed = await program.parley(["answer", "--bulk", "--json"]);
  expect([listed.code, JSON.parse(listed.out)]).toEqual([
    0,
    {
      approvals: [
        { id: plain.id, title: "$ npm test", project: "user" },
        { id: risky.id, title: "$ git push --force", project: "user", held: expect.stringContaining("at stake: ") },
      ],
    },
  ]);
  const looked = await program.parley(["answer", "--bulk"]);
  expect([looked.code, linesOf(looked.out).at(-1)]).toEqual([
    1,
    "Nothing was decided. To decide without being asked: --yes, and the ids of those that are held back",
  ]);
  const [ran] = await Promise.all([
    program.parley(["answer", "--bulk", "--yes", "--json"], { env: UNTIL_RECEIVED }),
    plain.takes(),
  ]);
  expect(JSON.parse(ran.out)).toMatchObject({
    results: [{ id: plain.id, code: 0, result: expect.stringContaining('✓ Claude Code received "Approve"') }],
    left: [{ id: risky.id, held: expect.stringContaining("at stake: ") }],
  });
  expect(await state(risky.id)).toBe("open");
  const [named] = await Promise.all([
    program.parley(["answer", "--bulk", risky.id, "--yes"], { env: UNTIL_RECEIVED }),
    risky.takes(),
  ]);
  expect([named.code, named.out.includes('✓ Claude Code received "Approve"')]).toEqual([0, true]);
  const two = [await asks("rm -rf a"), await asks("npm test")];
  const [denied, ...decisions] = await Promise.all([
    program.parley(["answer", "--bulk", "--decline", "-m", "not now", "--yes"], { env: UNTIL_RECEIVED }),
    ...two.map((each) => each.takes()),
  ]);
  expect([denied.code, decisions.map(({ behavior, message }) => [behavior, message])]).toEqual([
    0,
    two.map(() => ["deny", "The user does not allow this: not now"]),
  ]);
});

test("[BK3] no words but these go with --bulk, and no other question is swept along", async () => {
  const wrong = async (...args: string[]) => (await program.parley(["answer", ...args])).err;
  expect(await wrong()).toBe("✗ Which one? parley answer <id> <number>; see: parley ls\n");
  expect(await wrong("--bulk", "--grant", "30m")).toBe(
    "✗ --bulk approves each once, or denies it: leave the rest out\n",
  );
  expect(await wrong("--bulk", "-m", "fine")).toBe(
    "✗ Who approves has no place for words: -m goes with --bulk --decline\n",
  );
  const { id } = await create(program);
  expect((await program.parley(["answer", "--bulk", "--yes"])).out).toBe("No approval waits.\n");
  expect(await wrong("--bulk", id, "--yes")).toContain("is no approval that waits");
});
