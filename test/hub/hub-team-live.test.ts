import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test.skipIf(noBrowser !== undefined)(
  `[TM23] what another admin, or the command, changes on the Team page is on one that is open: rules, people and browsers; a form that is open says so${noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    const enter = async (link: string, name?: string) => {
      const page = await pages.open(link);
      if (name !== undefined) await page.getByLabel("Your name").fill(name);
      await page.getByRole("button", { name: "Make a passkey" }).click();
      await page.locator('.app[data-phase="ready"]').waitFor();
      await page.goto(`${hub.page}/#/team`);
      return page;
    };
    const bob = await enter(hub.firstMemberLink ?? "", "Bob");
    const section = (name: string) => bob.getByRole("region", { name });
    await section("Groups").getByText("None yet.").waitFor();

    // Somebody who comes in, and their browser.
    const ann = await enter((await stage.admin("invite", "Ann", "--role", "admin")).link);
    await section("People").getByText("Ann").waitFor();
    await section("Signed in")
      .getByText(/^Ann: /)
      .waitFor();

    // Another admin, on their own page.
    const dialog = ann.getByRole("dialog");
    await ann.getByRole("button", { name: "New group" }).click();
    await dialog.getByLabel("Name").fill("ops");
    await dialog.getByLabel("Bob").check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await section("Groups").getByText("ops").waitFor();
    await ann.getByRole("button", { name: "New policy" }).click();
    await dialog.getByLabel("Of kind").selectOption("task");
    await dialog.getByRole("button", { name: "Save" }).click();
    await section("What answers need").getByText("tasks given here").waitFor();

    // The command, while this one changes the same.
    await stage.admin("route", "--to", "Ann");
    await section("Whom questions go to")
      .getByText(/^Ann; reminded/)
      .waitFor();
    await section("Whom questions go to").getByRole("button", { name: "Change: everything" }).click();
    const mine = bob.getByRole("dialog");
    expect(await mine.getByText("Somebody has changed this meanwhile").count()).toBe(0);
    await stage.admin("route", "--to", "ops");
    await mine.getByText("Somebody has changed this meanwhile").waitFor();
    await mine.getByRole("button", { name: "Cancel" }).click();
    await section("Whom questions go to")
      .getByText(/^the group ops; reminded/)
      .waitFor();
    await stage.admin("policy", "--remove", (await stage.admin("policy")).policies[0].id);
    await section("What answers need").getByText("the first answer counts").waitFor();

    // Revoked: gone from the page, with their browser.
    await stage.admin("revoke", "Ann");
    await section("People").getByText("Ann").waitFor({ state: "detached" });
    await section("Signed in")
      .getByText(/^Ann: /)
      .waitFor({ state: "detached" });
  },
);
