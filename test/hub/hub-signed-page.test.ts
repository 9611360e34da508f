import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { TEST_MS } from "../patience.ts";
import { ready } from "../web/browser.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test.skipIf(noBrowser !== undefined)(
  `[TP7] two people in browsers sign with their passkeys: each sees what the other chose, their machine checks both; an answer changed in the database it refuses, and the page says why${noBrowser ? ` (skipped: ${noBrowser})` : ""}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const { machine } = stage;
    const hub = await stage.startHub();
    const ada = await pages.open(hub.firstMemberLink ?? "");
    await ada.getByLabel("Your name").fill("Ada");
    await passkey(ada);
    const bob = await pages.open((await stage.admin("invite", "Bob", "--role", "approver")).link);
    await passkey(bob);
    await stage.admin("policy", "--two", "--signed");
    await stage.join(hub);
    const deploy = await stage.ask("Deploy tonight?");
    await choose(ada, "Deploy tonight?", 0);
    await ada.getByText("You chose Yes").waitFor();
    await bob.locator(".row", { hasText: "1 of 2: Ada chose Yes" }).waitFor();
    await choose(bob, "Deploy tonight?", 1);
    await ada
      .locator(".halves", { hasText: "Ada chose Yes, Bob chose No: they do not agree, and nothing is sent" })
      .waitFor();
    await bob.getByRole("button", { name: "Choose again" }).click();
    await choose(bob, "Deploy tonight?", 0);
    expect(await deploy.ended).toMatchObject({ code: 0, out: "Yes\n" });
    await ada
      .getByText(/Ada and Bob answered .*, signed; received by/)
      .first()
      .waitFor();
    const why = (await machine.parley(["why", deploy.id])).out.replaceAll(/\s+/g, " ");
    expect(why).toContain("Ada and Bob signed exactly this, by passkey");
    expect(await stage.admin("audit", "verify")).toMatchObject({ ok: true, problems: [] });
    // A script of Ada's does not sign.
    const script = await stage.person(hub, "Ada", "admin");
    const drop = await stage.ask("Drop the table?");
    await ada.goto(`${hub.page}/#/`);
    const refused = await machine.parley(["answer", drop.id, "1", "--hub"], { env: script.env });
    expect([refused.code, refused.err]).toEqual([77, expect.stringContaining("A token cannot sign")]);

    // Its machine is away, and whoever has the database makes a Yes of two people's No.
    await ada.locator(".row", { hasText: "Drop the table?" }).waitFor();
    drop.child.kill("SIGSTOP");
    await machine.kill9();
    for (const page of [ada, bob]) await choose(page, "Drop the table?", 1);
    await bob
      .getByText(/Ada and Bob answered .*when it wakes/)
      .first()
      .waitFor();
    const database = openHubSqlite(join(machine.root, "hub", "hub.db"));
    await database.run(`UPDATE hub_intents SET settlement = replace(settlement, '[1]', '[0]') WHERE ask = $1`, [
      drop.id,
    ]);
    await database.close();
    await machine.start();
    await bob
      .getByText(/came to nothing on .*: The signature of Ada is not for this question/)
      .first()
      .waitFor();
    expect((await machine.client().call("getAsk", { id: drop.id })).state).toBe("open");
    drop.child.kill("SIGKILL");
  },
);

async function passkey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.locator('.app[data-phase="ready"]').waitFor();
}

async function choose(page: Page, title: string, row: number): Promise<void> {
  await page.locator(".row a", { hasText: title }).click();
  await ready(page);
  await page.locator(".option").nth(row).click();
  await page.getByRole("button", { name: "Confirm Answers" }).click();
}
