import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { APPROACH, ask, type Asking, contextRead } from "./cli-asker.ts";
import { create, features, linesOf, store, timeless } from "./cli-words.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { createProgram, holds, type Program } from "./program.ts";

let program: Program;
beforeAll(async () => {
  program = createProgram();
  mkdirSync(join(program.user, ".git"));
  await Bun.write(join(program.user, ".git/HEAD"), "ref: refs/heads/main\n");
  await program.start();
});
afterAll(() => program.dispose());

const show = async ({ id }: { id: string }) => {
  const { code, out, err } = await program.parley(["show", id]);
  expect([code, err]).toEqual([0, ""]);
  return linesOf(timeless(out));
};
const short = ({ id }: { id: string }) => id.slice(0, 6);
const answer = ({ id }: { id: string }, ...words: string[]) =>
  program.parley(["answer", id, ...words], { env: UNTIL_RECEIVED });
const from = ({ session }: Asking, way = " (answers at once)") =>
  `From: Claude Code${way} · user (main) · session ${session.slice(0, 8)} · mode default · ${program.user}`;
const hints = (made: { id: string }) => [`Answer: parley answer ${short(made)} 1, or -m "your own words"`];

test("[X60] an open question: options, context, origin, timeline and how to answer", async () => {
  const held = await ask(program, [APPROACH], { said: "Both work.\n\n    code(1)\n\nI need you to decide." });
  await contextRead(program, held);
  expect(await show(held)).toEqual([
    `${short(held)}  … waiting for an answer for TIME`,
    "",
    "[Approach] Which approach should we use?",
    "  1. Option A - What 1 means",
    "  2. Option B - What 2 means",
    "  3. Option C - What 3 means",
    "",
    "Claude Code said before:",
    "  Both work.",
    "",
    "      code(1)",
    "",
    "  I need you to decide.",
    "",
    from(held),
    "",
    "CLOCK  asked",
    "CLOCK  waiting here and in the agent's own dialog",
    "",
    ...hints(held),
  ]);
  await held.hangsUp();
  expect((await show(held)).slice(-5)).toEqual([
    "CLOCK  waiting here and in the agent's own dialog",
    "CLOCK  stopped waiting here: its hook is gone",
    "",
    "Nobody is waiting here: answer it in the terminal, or save an answer for when the agent is back.",
    ...hints(held),
  ]);
});

test("[X61] several questions, one or more options, previews, recommendations", async () => {
  const preview = { label: "Grid", description: "rows and columns", preview: "┌─┬─┐\n│ │ │\n└─┴─┘\n" };
  const held = await ask(program, [
    { question: "Which layout?", header: "Layout", options: [preview, { label: "List" }] },
    {
      question: "Which parts?\nChoose well.",
      multiSelect: true,
      options: [{ label: "A (Recommended)" }, { label: "B" }],
    },
    { question: "", header: "Empty", options: [] },
  ]);
  const lines = await show(held);
  expect(lines.slice(2, 17)).toEqual([
    "[Layout] Which layout? (q1)",
    "  1. Grid - rows and columns",
    "     │ ┌─┬─┐",
    "     │ │ │ │",
    "     │ └─┴─┘",
    "  2. List",
    "",
    "[Question] Which parts?",
    "Choose well. (q2, one or more)",
    "  1. A (Recommended)",
    "  2. B",
    "",
    "[Empty] (no details available) (q3)",
    "",
    from(held),
  ]);
  expect(lines.at(-1)).toBe(`Answer: parley answer ${short(held)} 1 1,2 1, or -m "your own words"`);
  await held.hangsUp();
});

test("[X62] after an answer: what was chosen, by whom, where, when and the receipt", async () => {
  const held = await ask(program);
  await Promise.all([answer(held, "2", "-m", "keep it small"), held.takes()]);
  expect(await show(held)).toEqual([
    `${short(held)}  ✓ Claude Code received "Option B (note: keep it small)" (TIME)`,
    "",
    "[Approach] Which approach should we use?",
    "  1. Option A - What 1 means",
    "✓ 2. Option B - What 2 means",
    "  3. Option C - What 3 means",
    "  Note: keep it small",
    "",
    from(held, ""),
    "",
    "CLOCK  asked",
    "CLOCK  waiting here and in the agent's own dialog",
    "CLOCK  answered by a person (cli): Option B (note: keep it small)",
    "CLOCK  taken by the agent's hook",
    'CLOCK  verified; receipt: Your questions have been answered: "Which approach should we use?"="Option B" notes: keep it small. You can now continue with these answers in mind.',
  ]);
});

test("[X63] after an answer in the terminal", async () => {
  const held = await ask(program);
  await held.picksInTerminal("Option A");
  const lines = await show(held);
  expect(lines[0]).toBe(`${short(held)}  ✓ answered in the terminal: Option A`);
  expect(lines).toContain("✓ 1. Option A - What 1 means");
  expect(lines.at(-1)).toBe("CLOCK  answered by a person in the terminal: Option A");
});

test("[X64] after the terminal overtook an answer: both are told", async () => {
  const held = await ask(program);
  const answering = answer(held, "2");
  await held.output;
  held.writes("Option C", "user_temporary");
  await answering;
  const lines = await show(held);
  expect(lines[0]).toBe(`${short(held)}  ✗ the terminal was first: Option C`);
  expect(lines.filter((line) => line.startsWith("✓"))).toEqual(["✓ 3. Option C - What 3 means"]);
  expect(lines.at(-1)).toBe(
    "CLOCK  the terminal was first: answered in the terminal, as the agent's own record says: Option C; not taken: Option B",
  );
});

test("[X65] after a mismatch: what was sent is not shown as taken", async () => {
  const held = await ask(program);
  const answering = answer(held, "2");
  await held.output;
  held.writes("Option C", "hook");
  await answering;
  const lines = await show(held);
  expect(lines.filter((line) => line.startsWith("✗"))).toEqual(["✗ 2. Option B - What 2 means"]);
  expect(lines.slice(-2)).toEqual([
    'CLOCK  mismatched: sent "Option B", received "Option C"',
    "CLOCK  the decider was told (cli)",
  ]);
});

test.each([
  [["--decline", "-m", "not now"], "declined by a person (cli): not now"],
  [["--chat", "why?"], "“chat about this” chosen by a person (cli): why?"],
  [["--cancel"], "cancelled by a person (cli)"],
])("[X66] after %j", async (words, line) => {
  const made = await create(program);
  await program.parley(["answer", made.id, ...words]);
  const lines = await show(made);
  expect(lines.at(-1)).toBe(`CLOCK  ${line}`);
  expect(lines.filter((text) => /^[✓✗]/.test(text))).toEqual([]);
});

test("[X67] own words are shown as such, beside what was picked", async () => {
  const made = await create(program, [store, features]);
  await program.parley(["answer", made.id, "-m", "my own", "q2=1,3", "--text", "q2=and\nmore", "-m", "q2=why"]);
  expect((await show(made)).slice(2, 12)).toEqual([
    "[Store] Which database? (q1)",
    "  1. SQLite - one file",
    "  2. PostgreSQL - a server",
    "✓ Other: my own",
    "",
    "[Features] Which features? (q2, one or more)",
    "✓ 1. Auth - with auth",
    "  2. Search - with search",
    "✓ 3. Export - with export",
    "✓ Other: and",
  ]);
});

test("[X68] Esc in the terminal, and an agent that is gone", async () => {
  const escaped = await ask(program);
  await escaped.picksInTerminal(null);
  expect((await show(escaped)).at(-1)).toBe("CLOCK  declined by a person in the terminal");
  const gone = await ask(program);
  await gone.hangsUp();
  const stdin = JSON.stringify({ session_id: gone.session, hook_event_name: "SessionEnd", reason: "logout" });
  await program.parley(["hook", "SessionEnd"], { stdin });
  await holds(async () => (await show(gone))[0]?.includes("withdrawn") ?? false);
  const lines = await show(gone);
  expect([lines[0], lines.at(-1)]).toEqual([
    `${short(gone)}  ✗ withdrawn: the session ended`,
    "CLOCK  withdrawn: the session ended",
  ]);
  const late = { code: 4, out: "✗ withdrawn: the session ended\n", err: "" };
  expect(await program.parley(["answer", gone.id, "1"])).toEqual(late);
});
