import { afterEach, beforeEach, expect, test } from "bun:test";
import { notice, prompt, TOUCH } from "../e2e/comfort-prompt.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { ask, guardOver, onScreen } from "./inbox-stage.ts";

let program: Program;
beforeEach(async () => {
  program = createProgram();
  await program.start();
});
afterEach(() => program.dispose());

test("[IN62] an approval is answered in its dialog, never by r or R, and its receipt is followed live", async () => {
  const asked = await prompt(program, { ...TOUCH, said: "I need a file there." });
  await ask(program, { text: "Which database?", options: ["SQLite (Recommended)", "Postgres"] });
  await using inbox = onScreen(program, { columns: 110 });
  const screen = await inbox.shows(/❯ .*\n.*approval · user/);
  expect(screen).toContain("touch /home/dev/touched");
  await guardOver();
  inbox.press("r");
  await inbox.shows("approval: not answered this way; Enter answers it");
  inbox.press("aR");
  await inbox.shows(/Answer 1 question as recommended\?[^]*Left out:[^]*approval: not answered this way/);
  await guardOver();
  inbox.press("n");
  await inbox.shows(/^(?![^]*Left out)/);
  inbox.press("\r");
  await inbox.shows(/❯ \( \) 1\. /);
  await guardOver();
  inbox.press("\r");
  expect(await asked.takes()).toMatchObject({ behavior: "allow" });
  await inbox.shows("✓ Claude Code received");
});

test("[IN63] what only the agent's terminal can answer says so instead of a dialog", async () => {
  await notice(program, "Choose a theme");
  await using inbox = onScreen(program);
  await inbox.shows("elicitation · user");
  inbox.press("\r");
  const screen = await inbox.shows(/─\n Only the agent's own terminal can answer this\./);
  expect(screen).not.toContain("Enter: select");
  inbox.press("d");
  await inbox.shows("✓ dismissed by inbox");
});
