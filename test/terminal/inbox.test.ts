import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../../src/machine/process/process.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";
import { eventually } from "../patience.ts";
import { ask, guardOver, onScreen } from "./inbox-stage.ts";

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());

const SQLITE = ["SQLite (Recommended)", "Postgres"];
const outcome = async (id: string) => (await program.client().call("getAsk", { id })).outcome;
const settled = (id: string) => holds(async () => (await outcome(id)) !== undefined);
const take = (id: string) => program.client("agent").call("receiveAnswer", { id });

test("[IN30] parley alone on a terminal is the inbox, elsewhere the help; q gives the terminal back", async () => {
  await ask(program, { text: "Which database?", options: SQLITE });
  await using inbox = onScreen(program);
  for (const part of ["Which database?", "[Waiting 1]", "question · shop ·", "1. SQLite (Recommended) - about SQLite"])
    await inbox.shows(part);
  inbox.press("q");
  expect(await inbox.ended()).toMatchObject({ code: 0, screen: expect.not.stringContaining("Which database?") });
  for (const mode of ["1049", "2004"]) expect(inbox.raw().lastIndexOf(`\u001b[?${mode}l`)).toBeGreaterThan(0);
  const piped = await program.parley([]);
  expect([piped.code, piped.out]).toEqual([0, expect.stringContaining("Usage: parley <command>")]);
});

test("[IN31] it is live: what is asked appears, what somebody else settles goes, and says by whom", async () => {
  await using inbox = onScreen(program);
  await inbox.shows("Nothing waits for you.");
  await inbox.shows("parley setup");
  const { id } = await ask(program, { text: "Which database?", options: SQLITE });
  await inbox.shows(/❯ Which database\?[^]*\[Pick\] Which database\?/);
  const body = { action: "answer" as const, answers: [{ picks: [0] }], surface: "web" };
  await program.client().call("settleAsk", { id, body });
  await inbox.shows(/shop “Which database\?”: answered by web .* ago: SQLite/);
  await inbox.shows("[Waiting 0]");
  await inbox.shows("Settled 1");
});

test("[IN32] Enter opens the dialog; the answer goes out and its receipt is followed live", async () => {
  const { id } = await ask(program, { text: "Which database?", options: SQLITE });
  await using inbox = onScreen(program);
  await inbox.shows("Which database?");
  inbox.press("\r");
  await inbox.shows("( ) 2. Postgres");
  await guardOver();
  inbox.press("\u001b[B");
  await inbox.shows("❯ ( ) 2. Postgres");
  inbox.press("\r");
  await inbox.shows('… saved: "Postgres"; Claude Code has not picked it up yet');
  expect(await outcome(id)).toMatchObject({
    type: "answered",
    answers: [{ picks: [1] }],
    actor: { type: "person", surface: "inbox" },
  });
  await take(id);
  await inbox.shows('✓ Claude Code received "Postgres"');
});

test("[IN33] r takes the recommended option; what has just come under the cursor is not settled by a second r", async () => {
  const first = await ask(program, { text: "First?", options: SQLITE });
  const second = await ask(program, { text: "Second?", options: SQLITE });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  await guardOver();
  inbox.press("rr");
  expect(await settled(first.id)).toBe(true);
  await inbox.shows(/❯ Second\?/);
  await guardOver();
  // Whatever the second key met, the second question is untouched.
  expect(await outcome(second.id)).toBeUndefined();
  inbox.press("r");
  expect(await settled(second.id)).toBe(true);
  expect(await outcome(second.id)).toMatchObject({ answers: [{ picks: [0] }] });
});

test("[IN34] a question without a recommended option is not answered by r", async () => {
  const { id } = await ask(program, { text: "Delete?", options: ["Yes", "No"] });
  await using inbox = onScreen(program);
  await inbox.shows("❯ Delete?");
  await guardOver();
  inbox.press("r");
  await inbox.shows("no recommended option; Enter answers it");
  expect(await outcome(id)).toBeUndefined();
});

test("[IN35] R answers all marked as recommended after one confirmation that says what, and names what it leaves out", async () => {
  const [a, b] = [
    await ask(program, { text: "A?", options: SQLITE }),
    await ask(program, { text: "B?", options: ["Mono", "Multi (Recommended)"] }),
  ];
  const left = await ask(program, { text: "C?" });
  await using inbox = onScreen(program);
  await inbox.shows("[Waiting 3]");
  inbox.press("a");
  await inbox.shows("◆ 3");
  inbox.press("R");
  const screen = await inbox.shows("Answer 2 questions as recommended?");
  expect(screen).toContain("SQLite (Recommended)  shop “A?”");
  expect(screen).toContain("Multi (Recommended)   shop “B?”");
  expect(screen).toMatch(/Left out:[^]*shop “C\?” \(no recommended option\)/);
  expect(await outcome(a.id)).toBeUndefined();
  await guardOver();
  inbox.press("\u001b");
  await inbox.shows(/^(?![^]*as recommended)/);
  expect(await outcome(a.id)).toBeUndefined();
  inbox.press("R");
  await inbox.shows("as recommended?");
  await guardOver();
  inbox.press("\r");
  await inbox.shows("… 2 answers: 2 kept");
  expect([(await outcome(a.id))?.answers, (await outcome(b.id))?.answers]).toEqual([
    [{ picks: [0] }],
    [{ picks: [1] }],
  ]);
  expect(await outcome(left.id)).toBeUndefined();
});

test("[IN36] d declines with a reason, c talks first, Esc does neither and keeps the words", async () => {
  const first = await ask(program, { text: "First?" });
  const second = await ask(program, { text: "Second?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  inbox.press("d");
  await inbox.shows("Decline, because:");
  inbox.press("not ");
  await inbox.shows("Decline, because: not");
  inbox.press("\u001b");
  await inbox.shows(/^(?![^]*Decline, because)/);
  expect(await outcome(first.id)).toBeUndefined();
  inbox.press("d");
  await inbox.shows("Decline, because: not");
  inbox.press("ask Ada\r");
  expect(await settled(first.id)).toBe(true);
  expect(await outcome(first.id)).toMatchObject({ type: "declined", message: "not ask Ada" });
  await inbox.shows("❯ Second?");
  inbox.press("c");
  await inbox.shows("Say first:");
  inbox.press("why now?\r");
  expect(await settled(second.id)).toBe(true);
  expect(await outcome(second.id)).toMatchObject({ type: "chat", message: "why now?" });
});

test("[IN37] s puts a question at the end of the list until then, and the cursor goes on", async () => {
  const first = await ask(program, { text: "First?" });
  await ask(program, { text: "Second?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  inbox.press("s");
  await inbox.shows("Snooze for: 30m");
  inbox.press("\r");
  await inbox.shows(/❯ Second\?[^]*First\?[^]*question · shop · snoozed until /);
  // Nobody waits for it until then.
  await inbox.shows("[Waiting 1]");
  expect(await program.client().call("getAsk", { id: first.id })).toMatchObject({ state: "open" });
  inbox.press("j");
  await inbox.shows("❯ First?");
  inbox.press("s");
  await inbox.shows("Snooze for:");
  inbox.press("\u0015off\r");
  await inbox.shows(/First\?[^]*Second\?[^]*back in the list/);
});

test("[IN38] / filters as one types, Enter keeps it, Esc shows all again", async () => {
  await ask(program, { text: "Which database?" });
  await ask(program, { text: "Which colour?", origin: { project: "web" } });
  await using inbox = onScreen(program);
  await inbox.shows("[Waiting 2]");
  inbox.press("/");
  inbox.press("colo");
  await inbox.shows(/^(?![^]*Which database\?)[^]*\[Waiting 1\]/);
  inbox.press("\r");
  await inbox.shows("/colo");
  inbox.press("\u001b");
  await inbox.shows("[Waiting 2]");
  inbox.press("/");
  inbox.press("zebra");
  await inbox.shows("Nothing matches “zebra”");
});

test("[IN39] the settled tab says what happened, newest first; the sessions tab who is there", async () => {
  const first = await ask(program, { text: "First?", options: SQLITE });
  const second = await ask(program, { text: "Second?" });
  const human = program.client();
  await human.call("settleAsk", { id: first.id, body: { action: "answer", answers: [{ picks: [0] }] } });
  await take(first.id);
  await human.call("settleAsk", { id: second.id, body: { action: "decline", message: "no" } });
  const hook = { session_id: "s-1", cwd: program.user, hook_event_name: "SessionStart", source: "startup" };
  await program.parley(["hook", "SessionStart"], { stdin: JSON.stringify(hook) });
  await using inbox = onScreen(program);
  await inbox.shows("Settled 2");
  inbox.press("]");
  await inbox.shows(/❯ Second\?[^]*First\?\s[^]*shop · ✓ Claude Code received "SQLite/);
  inbox.press("\t");
  await inbox.shows(/❯ user[^]*running · [^]*· Claude Code/);
});

test("[IN40] ? shows the keys, o opens the page at the question", async () => {
  const { id } = await ask(program, { text: "First?" });
  const [bin, opened] = [join(program.root, "desktop"), join(program.root, "opened")];
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
  await using inbox = onScreen(program, { rows: 34, env: { PATH: `${bin}:${process.env["PATH"]}` } });
  await inbox.shows("❯ First?");
  inbox.press("?");
  const help = await inbox.shows("any other key closes");
  for (const words of ["recommended option for all marked", "go to the agent's tmux pane", "filter by words"])
    expect(help).toContain(words);
  inbox.press("x");
  await inbox.shows("[Pick] First?");
  inbox.press("o");
  await inbox.shows(`Opened ${program.url()} in your browser`);
  expect(readFileSync(opened, "utf8")).toMatch(new RegExp(`^${program.url()}/#code=[\\w-]+&ask=${id}$`));
});

test("[IN41] a daemon that dies is started again; the screen says so meanwhile and loses nothing", async () => {
  await ask(program, { text: "First?" });
  await using inbox = onScreen(program);
  await inbox.shows("❯ First?");
  const before = program.registration().process;
  await program.kill9();
  // For a moment only: the next one may be there before anybody looks.
  await eventually(() => expect(inbox.raw()).toContain("reconnecting"));
  await inbox.shows("● live");
  expect(isAlive(before)).toBe(false);
  await ask(program, { text: "After the restart?" });
  await inbox.shows("After the restart?");
  await program.parley(["down"]);
  await inbox.shows("Parley was stopped with `parley down`. Start it: parley up");
  await program.start();
  await ask(program, { text: "After the pause?" });
  await inbox.shows("After the pause?");
  await inbox.shows("[Waiting 3]");
});

test("[IN66] a resize draws it in the new size, Ctrl+L draws it anew, a key that is let go does nothing", async () => {
  const { id } = await ask(program, { text: "Which database?", options: SQLITE });
  await using inbox = onScreen(program);
  await inbox.shows("[Waiting 1]");
  inbox.resize({ columns: 40, rows: 10 });
  await inbox.shows(/^\[Wait 1\][^]*❯ Which database\?/);
  inbox.resize({ columns: 120, rows: 40 });
  await inbox.shows(/\[Waiting 1\][^]*│ \[Pick\] Which database\?/);
  await guardOver();
  // As terminals with the Kitty protocol say that r was let go.
  inbox.press("\u001b[114;1:3u");
  const before = inbox.raw().length;
  inbox.press("\u000c");
  expect(await holds(() => inbox.raw().slice(before).includes("Which database?"))).toBe(true);
  expect(await outcome(id)).toBeUndefined();
});
