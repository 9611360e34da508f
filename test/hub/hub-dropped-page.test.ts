import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { ready } from "../web/browser.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test.skipIf(noBrowser !== undefined)(
  `[TP16] a policy deleted in the database while a browser has the question open: its machine demands a signature, or two people, as before, and the page says that the answer came to nothing, and why${noBrowser ? ` (skipped: ${noBrowser})` : ""}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const { machine } = stage;
    const hub = await stage.startHub();
    const ada = await pages.open(hub.firstMemberLink ?? "");
    await ada.getByLabel("Your name").fill("Ada");
    await ada.getByRole("button", { name: "Make a passkey" }).click();
    await ada.locator('.app[data-phase="ready"]').waitFor();
    await stage.admin("policy", "--signed");
    await stage.join(hub);
    for (const [demand, words, question, why] of [
      [
        "--signed",
        /signature/,
        "Drop the table?",
        "This machine takes no such answer without a signature, and none of Ada came with it",
      ],
      ["--two", /two people/, "Deploy tonight?", "This machine takes such an answer of two people, and one gave it"],
    ] as const) {
      // The machine joins with the first, and learns the second on its line.
      if (demand === "--two") await stage.admin("policy", demand);
      const before = (await eventually(() => demandsWith(words))).length;
      const asked = await stage.ask(question);
      await openAsk(ada, question);
      // Past the hub: nobody is told, and the page has the question open as it was.
      const database = openHubSqlite(join(machine.root, "hub", "hub.db"));
      await database.run("DELETE FROM hub_policies");
      await database.close();
      await ada.locator(".option").nth(0).click();
      await ada.getByRole("button", { name: "Confirm Answers" }).click();
      await ada.getByText(why, { exact: false }).first().waitFor();
      expect(await ada.getByText(/received by/).count()).toBe(0);
      expect((await machine.client().call("getAsk", { id: asked.id })).state).toBe("open");
      expect(await demandsWith(words)).toHaveLength(before);
      // It waits as before: its person answers it at the machine.
      expect((await machine.parley(["answer", asked.id, "1"])).code).toBe(0);
      expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
      await ada.locator(".row a", { hasText: question }).waitFor({ state: "hidden" });
    }

    /** All that the machine demands, once this is among it. */
    async function demandsWith(words: RegExp): Promise<unknown[]> {
      const { trust } = JSON.parse((await machine.parley(["join", "--json"])).out) as {
        trust?: { demands: { words: string }[] };
      };
      expect(trust?.demands.map((each) => each.words).join("; ")).toMatch(words);
      return trust?.demands ?? [];
    }
  },
);

async function openAsk(page: Page, title: string): Promise<void> {
  await page.locator(".row a", { hasText: title }).click();
  await ready(page);
}
