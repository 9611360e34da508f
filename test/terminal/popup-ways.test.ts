import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prompt } from "../e2e/comfort-prompt.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { UNTIL_RECEIVED } from "../patience.ts";
import { guardOver, onScreen } from "./inbox-stage.ts";

let program: Program;
beforeEach(() => {
  program = createProgram();
  mkdirSync(join(program.user, ".git"));
});
afterEach(() => program.dispose());

const asks = (command: string) => prompt(program, { tool: "Bash", input: { command, description: "x" }, edits: true });
const popup = (env = {}) =>
  onScreen(program, { columns: 100, rows: 40, args: ["popup"], env: { ...UNTIL_RECEIVED, ...env } });
/** Nobody tells this agent's record of it: what it printed is what counts here. */
const QUICK = { PARLEY_RECEIPT_MS: "1" };

test("[RC21] in the popup a command is changed before it is allowed; what must be asked about needs a second yes", async () => {
  const config = join(program.root, "config.toml");
  writeFileSync(config, 'approvals.must_ask = ["cp ..."]\n');
  await program.start({ PARLEY_CONFIG: config });
  const asked = await asks("rm notes.txt");
  await using screen = popup(QUICK);
  await screen.shows(/e: change it first[^]*w: allow for a while/);
  screen.press("e");
  await screen.shows(/Change the command; what you allow is what runs[^]*rm notes\.txt/);
  await guardOver();
  // Left with Esc, nothing is sent, and it is as it was.
  screen.press("\x1b");
  await screen.shows(/Nothing was sent\.[^]*e: change it first/);
  screen.press("e");
  await screen.shows("Change the command");
  await guardOver();
  screen.press("\x15cp notes.txt kept.txt");
  await screen.shows("cp notes.txt kept.txt");
  screen.press("\r");
  await screen.shows(/Parley always asks about "cp \.\.\."[^]*Allow it all the same/);
  await guardOver();
  screen.press("2");
  await screen.shows("(•) 2. Allow it all the same");
  screen.press("\r");
  expect((await asked.takes()).updatedInput).toMatchObject({ command: "cp notes.txt kept.txt" });
  expect((await screen.ended()).code).toBe(0);
  const { outcome } = await program.client().call("getAsk", { id: asked.id });
  expect(outcome).toMatchObject({ actor: { type: "person", surface: "popup" } });
});

test("[RC22] the popup gives a grant after it has shown what will match", async () => {
  await program.start();
  const asked = await asks("npm run lint");
  await using screen = popup();
  await screen.shows("w: allow for a while");
  screen.press("w");
  await screen.shows("for how long?");
  screen.press("2x\r");
  await screen.shows(/Allows +\$ npm run lint[^]*Give it\? \[y\/N\]/);
  expect((await program.client().call("listGrants", {})).grants).toEqual([]);
  screen.press("y\r");
  expect(await asked.takes()).toMatchObject({ behavior: "allow" });
  const { code, screen: last } = await screen.ended();
  expect([code, last]).toEqual([0, expect.stringMatching(/✓ Claude Code received "Approve"[^]*counts from now on/)]);
  const { grants } = await program.client().call("listGrants", {});
  expect(grants.map(({ title, end }) => [title, end.calls])).toEqual([["$ npm run lint", 2]]);
});

test("[RC23] in the inbox's dialog e changes the command, and the difference is kept", async () => {
  await program.start();
  const asked = await asks("rm notes.txt");
  await using inbox = onScreen(program, { columns: 110 });
  await inbox.shows("$ rm notes.txt");
  await guardOver();
  inbox.press("\r");
  await inbox.shows("e: change it first");
  inbox.press("e");
  await inbox.shows("Command: rm notes.txt");
  inbox.press("\x15mv notes.txt kept.txt\r");
  expect((await asked.takes()).updatedInput).toMatchObject({ command: "mv notes.txt kept.txt" });
  const { outcome } = await program.client().call("getAsk", { id: asked.id });
  expect(outcome?.changed).toMatchObject({ what: "command", text: "mv notes.txt kept.txt" });
});
