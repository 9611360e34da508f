import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";
import { saysWhy } from "./signed-out-cases.ts";

setDefaultTimeout(TEST_MS);

test("[HP15] a browser that was signed out is told why; who has not all of what it was signed in with is told nothing", async () => {
  await saysWhy();
});

test.skipIf(noBrowser !== undefined)(
  `[HP16] an open page whose browser an admin signs out, or whose member they remove, says so until somebody signs in there again${noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    await stage.join(hub);
    const enter = async (link: string, name?: string) => {
      const page = await pages.open(link);
      if (name !== undefined) await page.getByLabel("Your name").fill(name);
      await page.getByRole("button", { name: "Make a passkey" }).click();
      await page.locator('.app[data-phase="ready"]').waitFor();
      return page;
    };
    const ann = await enter(hub.firstMemberLink ?? "", "Ann");
    const bob = await enter((await stage.admin("invite", "Bob", "--role", "answerer")).link);
    const asked = await stage.ask("Deploy tonight?");
    await bob.locator(".row", { hasText: "Deploy tonight?" }).waitFor();

    // By an admin, on their page.
    await ann.goto(`${hub.page}/#/team`);
    await ann
      .getByRole("region", { name: "Signed in" })
      .getByRole("listitem")
      .filter({ hasText: "Bob: " })
      .getByRole("button", { name: "Sign out" })
      .click();
    const ended = bob.getByRole("status").filter({ hasText: "This browser was signed out by an admin of the hub." });
    await ended.waitFor();
    expect(await bob.getByText("Deploy tonight?").count()).toBe(0);
    await bob.reload();
    await ended.waitFor();
    // Their passkey is still one of this hub.
    await bob.getByRole("button", { name: "Sign in with a passkey" }).click();
    await bob.locator(".row", { hasText: "Deploy tonight?" }).waitFor();
    expect(await ended.count()).toBe(0);

    await stage.admin("revoke", "Bob");
    const removed = bob.getByRole("status").filter({ hasText: "Bob was removed from this hub by an admin." });
    await removed.waitFor();
    await bob.getByRole("button", { name: "Sign in with a passkey" }).click();
    await bob.getByText("not one of this hub").waitFor();
    await removed.waitFor();
    // Who signs out themselves, and who was never there, is told nothing of the kind.
    await ann.getByRole("button", { name: "Sign out here" }).click();
    const stranger = await pages.open(hub.page ?? "");
    for (const page of [ann, stranger]) {
      await page.getByText("What your team's agents ask").waitFor();
      expect(await page.getByRole("status").count()).toBe(0);
    }
    asked.child.kill();
    await asked.ended;
  },
);
