import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { prompt } from "../e2e/comfort-prompt.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { eventually, UNTIL_RECEIVED } from "../patience.ts";
import { guardOver, onScreen } from "./inbox-stage.ts";

let program: Program;
beforeEach(async () => {
  program = createProgram();
  mkdirSync(join(program.user, ".git"));
  await program.start();
});
afterEach(() => program.dispose());

const asks = (command: string) => prompt(program, { tool: "Bash", input: { command, description: "x" } });
const grants = async () => (await program.client().call("listGrants", {})).grants;

test("[GP9] the inbox gives a grant after it has shown what will match, from the list and from the dialog, and changes and revokes it", async () => {
  const asked = await asks("npm run lint");
  await using inbox = onScreen(program, { columns: 110 });
  await inbox.shows("$ npm run lint");
  await guardOver();
  // In the dialog it is the same key.
  inbox.press("\r");
  await inbox.shows(/❯ \( \) 1\. Approve/);
  inbox.press("w");
  await inbox.shows("this command with exactly these words");
  expect(await grants()).toEqual([]);
  inbox.press("p");
  await inbox.shows("Pattern: npm run lint");
  inbox.press("\x15npm run *\r");
  await inbox.shows("an unquoted * is one argument");
  inbox.press("\x1b[C\x1b[C");
  await inbox.shows("10 calls used");
  await guardOver();
  inbox.press("\r");
  expect(await asked.takes()).toMatchObject({ behavior: "allow" });
  await inbox.shows(/✓ Claude Code received "Approve" \(.*\); 1 grant given/);
  expect((await grants()).map(({ title, end }) => [title, end.calls])).toEqual([["$ npm run *", 10]]);
  await inbox.shows("Grants 1");
  inbox.press("\x1b[Z");
  await inbox.shows("[Grants 1]");
  inbox.press("\r");
  await inbox.shows("Change this grant");
  inbox.press("p");
  await inbox.shows("Pattern: npm run *");
  inbox.press("\x15npm run build\r");
  await inbox.shows("this command with exactly these words");
  await guardOver();
  inbox.press("\r");
  await inbox.shows(/✓ grant \w+ is changed/);
  await inbox.shows(/❯ +\$ npm run build/);
  inbox.press("x");
  await inbox.shows("Revoke this grant?");
  await guardOver();
  inbox.press("y");
  await inbox.shows(/✓ grant \w+ is revoked/);
  expect(await grants()).toEqual([]);
});

test("[GP10] the inbox shows what is proposed, and declines it; a plan is accepted with the commands it names", async () => {
  for (let i = 0; i < 3; i++) {
    const asked = await asks("npm test");
    const answer = program.parley(["answer", asked.id, "1", "--only"], { env: UNTIL_RECEIVED });
    await Promise.all([answer, asked.takes()]);
  }
  const asked = await asks("npm test");
  await using inbox = onScreen(program, { columns: 110 });
  await inbox.shows(/Asked 3 times in [^]*w allows it for 30m · W never proposes it again/);
  await guardOver();
  inbox.press("W");
  await inbox.shows("a grant for $ npm test is not proposed again");
  await inbox.shows(/^(?![^]*Asked 3 times)/);
  await asked.hangsUp();
  await program.parley(["answer", asked.id, "--decline"]);
  const body = "# Ship it\n\nRun `npm test`, then `git push`.";
  const plan = await prompt(program, { tool: "ExitPlanMode", input: { plan: body } });
  await inbox.shows(/❯ +Ship it/);
  await guardOver();
  inbox.press("w");
  await inbox.shows(
    /\[x\] \$ npm test[^]*\[ \] \$ git push[^]*held back: at stake: publishing[^]*Until +its plan is done/,
  );
  await guardOver();
  inbox.press("\r");
  expect(await plan.takes()).toMatchObject({ behavior: "allow" });
  await eventually(async () => expect((await grants()).map(({ title }) => title)).toEqual(["$ npm test"]));
});

test("[BK5] the inbox decides many approvals in one table, with each receipt in its row; what is at stake is ticked by itself", async () => {
  const [plain, risky, late] = [await asks("npm test"), await asks("rm -rf build"), await asks("npm run lint")];
  await using inbox = onScreen(program, { columns: 110 });
  await inbox.shows("[Waiting 3]");
  inbox.press("A");
  await inbox.shows(
    /\[x\] user +\$ npm test[^]*\[ \] user +\$ rm -rf build[^]*held back: at stake[^]*\[x\] user +\$ npm run lint/,
  );
  const settled = program.client().call("settleAsk", { id: late.id, body: { action: "decline", surface: "cli" } });
  await Promise.all([settled, late.takes()]);
  await inbox.shows(/npm run lint[^]*denied by cli/);
  inbox.press("\r");
  await inbox.shows("Approve 1 call?");
  await guardOver();
  inbox.press("y");
  expect(await plain.takes()).toMatchObject({ behavior: "allow" });
  await inbox.shows(/npm test[^]*✓ Claude Code received "Approve"[^]*\[ \] user +\$ rm -rf build/);
  expect((await program.client().call("getAsk", { id: risky.id })).state).toBe("open");
  inbox.press("j d");
  await inbox.shows("Deny 1 call?");
  await guardOver();
  inbox.press("y");
  expect(await risky.takes()).toMatchObject({ behavior: "deny" });
  await inbox.shows(/rm -rf build[^]*✓ denied; Claude Code received it/);
});
