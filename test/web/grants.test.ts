import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { prompt } from "../e2e/comfort-prompt.ts";
import { eventually, UNTIL_RECEIVED } from "../patience.ts";
import { browserTests, ready, type Web } from "./browser.ts";

const inBrowser = browserTests();
const bash = (command: string) => ({ tool: "Bash", input: { command, description: "x" } });
const grants = async ({ program }: Web) => (await program.client().call("listGrants", {})).grants;
const goTo = (page: Page, hash: string) => page.goto(`${new URL(page.url()).origin}/${hash}`);

inBrowser(
  "[GP6] a grant is given from the card of an approval, with what it will match shown first, and changed and revoked in its list",
  async (web) => {
    const asked = await prompt(web.program, bash("npm run lint"));
    const page = await web.open();
    await ready(page);
    await page.keyboard.press("w");
    const panel = page.getByRole("group", { name: "Allow for a while" });
    const matches = panel.getByLabel("What it will match");
    await matches.getByText("this command with exactly these words").waitFor();
    expect(await grants(web)).toEqual([]);
    await panel.getByLabel("Pattern").fill("npm run * ; ls");
    await panel.getByText("it is more than one command").waitFor();
    expect(await panel.getByRole("button", { name: "Approve and give it" }).isDisabled()).toBe(true);
    await panel.getByLabel("Pattern").fill("npm run *");
    await matches.getByText("an unquoted * is one argument", { exact: false }).waitFor();
    await panel.getByText("10 calls").click();
    await matches.getByText("10 calls used").waitFor();
    await panel.getByRole("button", { name: "Approve and give it" }).click();
    expect(await asked.takes()).toMatchObject({ behavior: "allow" });
    await page.locator(".receipts", { hasText: '✓ Claude Code received "Approve"' }).waitFor();

    await page.getByRole("link", { name: "Grants" }).click();
    const row = page.locator(".grants .entries li");
    await row.getByText("$ npm run *").waitFor();
    await row.getByRole("button", { name: "Change" }).click();
    const edit = page.getByRole("group", { name: "Change this grant" });
    await edit.getByLabel("Pattern").fill("npm run build");
    await edit.getByText("this command with exactly these words").waitFor();
    await edit.getByRole("button", { name: "Change it" }).click();
    // The form shows the new pattern already, before it is stored.
    await edit.waitFor({ state: "hidden" });
    await row.getByText("$ npm run build").waitFor();
    await eventually(async () =>
      expect((await grants(web)).map(({ pattern }) => pattern.text)).toEqual(["npm run build"]),
    );
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No grants: agents ask.").waitFor();
    await eventually(async () => expect(await grants(web)).toEqual([]));
    // One that is given elsewhere comes by itself.
    await web.program.parley(["answer", asked.id, "--grant", "2h", "--yes"]);
    await row.getByText("$ npm run lint").waitFor();
  },
);

inBrowser("[GP7] what is proposed stands above the question, and is declined or given there", async (web) => {
  mkdirSync(join(web.program.user, ".git"));
  const approve = async (command: string) => {
    const asked = await prompt(web.program, bash(command));
    const answer = ["answer", asked.id, "1", "--only"];
    await Promise.all([web.program.parley(answer, { env: UNTIL_RECEIVED }), asked.takes()]);
  };
  for (const command of ["npm test", "npm run lint"]) for (let i = 0; i < 3; i++) await approve(command);
  const asked = await prompt(web.program, bash("npm test"));
  const page = await web.open();
  await ready(page);
  const proposal = page.locator(".proposal");
  await proposal.getByText("Asked 3 times in", { exact: false }).waitFor();
  await proposal.getByRole("button", { name: "Allow it for 30 minutes" }).click();
  await proposal.getByLabel("What it will match").getByText("$ npm test").waitFor();
  expect(await grants(web)).toEqual([]);
  await proposal.getByRole("button", { name: "Approve and give it" }).click();
  expect(await asked.takes()).toMatchObject({ behavior: "allow" });
  await eventually(async () => expect((await grants(web)).map(({ title }) => title)).toEqual(["$ npm test"]));
  const second = await prompt(web.program, bash("npm run lint"));
  await goTo(page, `#/ask/${second.id}`);
  await page.getByRole("button", { name: "Do not propose it again" }).click();
  await page.getByText("It is not proposed again.").waitFor();
  expect((await web.program.client().call("grantOffer", { id: second.id })).proposal).toBeUndefined();
  await second.hangsUp();
});

inBrowser("[GP8] a plan is accepted together with those of its commands that are ticked", async (web) => {
  const plan = "# Ship it\n\nRun `npm test`, then `npm run build` and `git push`.";
  const asked = await prompt(web.program, { tool: "ExitPlanMode", input: { plan } });
  const page = await web.open();
  await ready(page);
  await page.getByRole("button", { name: "Allow what it names" }).click();
  const panel = page.getByRole("group", { name: "Allow for a while" });
  await panel.getByLabel("What it will match").waitFor();
  expect(await panel.getByLabel("$ git push").isChecked()).toBe(false);
  await panel.getByLabel("$ npm run build").uncheck();
  await panel.getByText("Approve, and accept edits").click();
  await eventually(async () => expect(await panel.getByLabel("What it will match").locator("code").count()).toBe(1));
  await panel.getByRole("button", { name: "Accept and give it" }).click();
  expect(await asked.takes()).toMatchObject({ behavior: "allow" });
  await eventually(async () =>
    expect((await grants(web)).map(({ title, end }) => [title, end.plan])).toEqual([["$ npm test", asked.session]]),
  );
  expect((await web.get(asked.id)).outcome).toMatchObject({ answers: [{ picks: [1] }] });
});

inBrowser(
  "[BK4] approvals are ticked in one table and decided after one confirmation, with each receipt in its row; what is at stake is ticked by itself, and who was first is said",
  async (web) => {
    const ask = (command: string) => prompt(web.program, bash(command));
    const [plain, risky, late, open] = [
      await ask("npm test"),
      await ask("rm -rf build"),
      await ask("npm run lint"),
      await ask("npm run docs"),
    ];
    const page = await web.open();
    await page.getByRole("link", { name: "Decide several approvals" }).click();
    await page.getByLabel("All that are not held back").check();
    expect(await page.getByLabel("$ rm -rf build").isChecked()).toBe(false);
    await page.getByText('Held back: at stake: destructive ("rm -rf")').waitFor();
    await page.getByLabel("$ npm run docs").uncheck();
    await page.getByRole("button", { name: "Approve 2 calls" }).click();
    const sure = page.getByRole("alertdialog", { name: "Approve 2 calls?" });
    await sure.getByText("$ npm run lint").waitFor();
    // Somebody else is faster with one of them.
    const body = { action: "decline", surface: "cli" } as const;
    const settled = web.program.client().call("settleAsk", { id: late.id, body });
    await Promise.all([settled, late.takes()]);
    // What is confirmed is what is still there.
    const left = page.getByRole("alertdialog", { name: "Approve 1 call?" });
    await left.getByRole("button", { name: "Approve" }).click();
    expect(await plain.takes()).toMatchObject({ behavior: "allow" });
    await page.locator("tr", { hasText: "$ npm test" }).getByText('✓ Claude Code received "Approve"').waitFor();
    await page.locator("tr", { hasText: "$ npm run lint" }).getByText("Denied by cli", { exact: false }).waitFor();
    for (const { id } of [risky, open]) expect((await web.get(id)).state).toBe("open");
    await page.getByLabel("$ rm -rf build").check();
    await page.getByRole("button", { name: "Deny 1 call" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Deny" }).click();
    expect(await risky.takes()).toMatchObject({ behavior: "deny" });
    await open.hangsUp();
  },
);
