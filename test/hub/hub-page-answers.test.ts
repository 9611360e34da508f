import { expect, setDefaultTimeout, test } from "bun:test";
import { TEST_MS } from "../patience.ts";
import { ready } from "../web/browser.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test.skipIf(noBrowser !== undefined)(
  `[HP12] the page of a hub: an answer to a machine that sleeps is said to wait, is taken back by who gave it, and leaves no trace in how it ended; who only looks sees the options; a hub that is there again is said to be, before there is news${noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const { machine } = stage;
    const hub = await stage.startHub();
    const ann = await pages.open(hub.firstMemberLink ?? "", { serviceWorkers: "block" });
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    const { link } = await stage.admin("invite", "Vic", "--role", "viewer");
    const vic = await pages.open(link);
    await vic.getByRole("button", { name: "Make a passkey" }).click();
    await vic.locator('.app[data-phase="ready"]').waitFor();
    await stage.admin("route", "--to", "Ann", "--after", "8m");
    await stage.join(hub);
    const asked = await stage.ask("Deploy tonight?");
    const path = `${hub.page}/#/ask/${asked.id}`;
    await Promise.all([ann.goto(path), vic.goto(path)]);
    await vic.getByText("You may look at this, not answer it").waitFor();
    expect(await vic.locator(".picked li").allInnerTexts()).toEqual(["Yes", "No"]);

    // Under a claim it does not go on.
    await ann.locator(".routed", { hasText: "goes on in" }).waitFor();
    await ann.getByRole("button", { name: "I am on it" }).click();
    await ann.locator(".claimed").waitFor();
    expect(await ann.locator(".routed").innerText()).not.toContain("goes on");

    // Its machine sleeps; who waits there would wake it.
    asked.child.kill("SIGSTOP");
    await machine.kill9();
    await ann.locator(".hub-state", { hasText: "asleep" }).waitFor();
    await ready(ann);
    await ann.locator(".option").nth(1).click();
    await ann.getByRole("button", { name: "Confirm Answers" }).click();
    const receipt = ann.locator(".receipts li", { hasText: "Deploy tonight?" });
    await receipt.getByText(/Ann answered .*hears it when it wakes/).waitFor();
    await vic.locator('.picked li[data-picked="true"]', { hasText: "No" }).waitFor();
    expect(await vic.getByRole("button", { name: "Take back" }).count()).toBe(0);
    await ann.goto(path);
    await ann.getByRole("button", { name: "Take back" }).click();
    for (const place of [receipt, ann.locator(".row"), vic.locator(".row")])
      await place.getByText(/Ann's answer came to nothing on .*: Taken back by Ann/).waitFor();
    await ann.getByRole("button", { name: "Confirm Answers" }).waitFor();

    // Then it is answered where it was asked.
    await machine.start();
    asked.child.kill("SIGCONT");
    expect((await machine.parley(["answer", asked.id, "1"])).code).toBe(0);
    expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
    await ann.goto(`${hub.page}/#/answered`);
    const entry = ann.locator(".entries li", { hasText: "Deploy tonight?" });
    await entry.getByText(/^Answered by cli .*: Yes$/).waitFor();
    expect(await entry.innerText()).not.toContain("Ann");

    // The hub goes and comes, and has no news for a long time.
    let isAway = true;
    await ann.route("**/api/**", async (route) => {
      if (isAway) return route.abort();
      if (!route.request().url().endsWith("/news")) return route.continue();
    });
    await stage.admin("group", "ops", "Ann");
    await ann.getByText("Connection lost").waitFor();
    isAway = false;
    await ann.getByText("Connection lost").waitFor({ state: "detached" });
  },
);
