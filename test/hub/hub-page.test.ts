import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { digestOf } from "../../src/hub/digest.ts";
import { createHubRecords } from "../../src/store/hub/records.ts";
import { openHubSqlite } from "../../src/store/sqlite/hub.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { noServer, startCluster } from "./cluster.ts";
import { ready } from "../web/browser.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";
import type { Page } from "playwright-core";

setDefaultTimeout(TEST_MS);
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const MANY = 1000;
const skipped = (...reasons: (string | undefined)[]) => {
  const reason = reasons.find((each) => each !== undefined);
  return reason === undefined ? "" : ` (skipped: ${reason})`;
};

test.skipIf(noBrowser !== undefined)(
  `[HP1] a team in browsers: the first member, one invited on a phone, a claim, an answer that its machine receives, one that waits for it, an end${skipped(noBrowser)}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    await stage.join(hub);
    const deploy = await stage.ask("Deploy tonight?");
    const ann = await pages.open(hub.firstMemberLink ?? "");
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator(".row", { hasText: "Deploy tonight?" }).waitFor();
    expect(new URL(ann.url()).hostname).toBe("localhost");
    expect(ann.url()).not.toContain("invite");

    const { link } = await stage.admin("invite", "Bob", "--role", "answerer");
    const bob = await pages.open(link, PHONE);
    await bob.getByRole("button", { name: "Make a passkey" }).click();
    await bob.locator(".row a", { hasText: "Deploy tonight?" }).click();
    await bob.getByRole("button", { name: "I am on it" }).click();
    await ann.locator(".claimed", { hasText: "Bob is on it" }).waitFor();
    await answer(bob, 1);
    expect(await deploy.ended).toMatchObject({ code: 0, out: "No\n" });
    await ann
      .getByText(/Bob answered .*; received by/)
      .first()
      .waitFor();
    const { outcome } = await stage.machine.client().call("getAsk", { id: deploy.id });
    expect(outcome?.actor).toMatchObject({ surface: "hub", name: "Bob" });

    // Many, live: as many rows as somebody looks at. One whose machine is away is answered, and waits for it.
    const records = createHubRecords(openHubSqlite(join(stage.machine.root, "hub", "hub.db")));
    await fill(records);
    await bob.goto(`${hub.page}/#/`);
    await eventually(async () => expect(await bob.locator(".rest").innerText()).toBe(`${MANY - 200} more`));
    expect(await bob.locator(".row").count()).toBe(200);
    await records.takeOffers("builder", ["site"], Date.now());
    await records.disconnect("builder", Date.now());
    await bob.locator(".row", { hasText: "builder, asleep" }).first().waitFor();
    await bob.locator(".row a", { hasText: "Number 0?" }).click();
    await answer(bob, 0);
    await eventually(async () => {
      const [ask] = await records.asksLike("x0", null);
      expect(ask?.intent).toMatchObject({ state: "sent", name: "Bob" });
    });
    await ann.goto(`${hub.page}/#/answered`);
    await ann.locator(".entries li", { hasText: /Number 0\?.*Bob answered .*hears it when it wakes/ }).waitFor();
    // Work for it from the page, by who may: it waits, and is taken back.
    await bob.goto(`${hub.page}/#/board`);
    await bob.getByText("No machine takes tasks of yours").waitFor();
    await ann.getByRole("link", { name: "Tasks" }).click();
    await ann.getByLabel("What should the agent do?").fill("Tidy up");
    await ann.getByRole("button", { name: "Start" }).click();
    const task = ann.locator(".entries li", { hasText: "Tidy up" });
    await task.getByText(/Ann gave it .*; builder hears it when it wakes/).waitFor();
    await task.getByRole("button", { name: "Take back" }).click();
    await task.getByText("it came to nothing: Taken back by Ann").waitFor();
    await records.close();

    // Out and in again with the same passkey; then not any more.
    await ann.getByRole("link", { name: "Team" }).click();
    await ann.getByText("Bob: ").waitFor();
    await ann.getByRole("button", { name: "Sign out here" }).click();
    await ann.getByRole("button", { name: "Sign in with a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    const { sessions } = await stage.admin("members", "--sessions");
    expect(sessions.map(({ memberName }: { memberName: string }) => memberName).toSorted()).toEqual(["Ann", "Bob"]);
    await stage.admin("revoke", "Bob");
    await bob.getByRole("button", { name: "Sign in with a passkey" }).click();
    await bob.getByText("not one of this hub").waitFor();
  },
);

test.skipIf((noBrowser ?? noServer) !== undefined)(
  `[HP2] two hubs on one PostgreSQL: a passkey made at one signs in at the other; of two answers the first wins, and the other page says whose${skipped(noBrowser, noServer)}`,
  async () => {
    const cluster = await startCluster();
    try {
      await using stage = await openStage({ place: ["--database", cluster.url] });
      await using pages = await openHubPages();
      const [one, two] = [await stage.startHub(), await stage.startHub()];
      await stage.join(one);
      const asked = await stage.ask("Deploy tonight?");
      const ann = await pages.open(one.firstMemberLink ?? "");
      await ann.getByLabel("Your name").fill("Ann");
      await ann.getByRole("button", { name: "Make a passkey" }).click();
      await ann.locator('.app[data-phase="ready"]').waitFor();
      // By its address, which sends them to its name.
      await ann.goto(two.url);
      await ann.getByRole("button", { name: "Sign in with a passkey" }).click();
      await ready(ann);
      const { link } = await stage.admin("invite", "Bob", "--role", "approver", "--url", one.page ?? "");
      const bob = await pages.open(link);
      await bob.getByRole("button", { name: "Make a passkey" }).click();
      await ready(bob);
      await Promise.all([ann, bob].map((page, row) => page.locator(".option").nth(row).click()));
      // Whoever is told of the other's answer first has no form any more.
      const confirm = (page: Page) =>
        Promise.race([
          page.getByRole("button", { name: "Confirm Answers" }).click(),
          page
            .getByText(/(Ann|Bob) answered/)
            .first()
            .waitFor(),
        ]);
      await Promise.all([ann, bob].map(confirm));
      const { out } = await asked.ended;
      const winner = out === "Yes\n" ? "Ann" : "Bob";
      for (const page of [ann, bob]) {
        await page.getByRole("link", { name: "Answered", exact: true }).click();
        await page.locator(".entries li", { hasText: `${winner} answered` }).waitFor();
      }
      expect(await cluster.psql("SELECT count(*) FROM parley.hub_intents")).toBe("1");
    } finally {
      await cluster.remove();
    }
  },
);

async function answer(page: Page, row: number): Promise<void> {
  await ready(page);
  await page.locator(".option").nth(row).click();
  await page.getByRole("button", { name: "Confirm Answers" }).click();
}

/** A machine that asks very much. */
async function fill(records: ReturnType<typeof createHubRecords>): Promise<void> {
  const machine = { id: "mmmmmmmmmmmm", name: "builder", token: digestOf("m"), projects: [] };
  await records.addCode(digestOf("c"), Date.now() + 600_000, Date.now());
  await records.join(digestOf("c"), machine, Date.now());
  await records.connect(machine.token, "builder", Date.now());
  const options = [{ label: "Yes", description: "" }];
  const asks = Array.from({ length: MANY }, (_, i) => {
    const more = {
      agentTitle: "a script",
      sentence: "",
      deliveries: [{ state: "waiting", channel: "api" }],
      createdAt: 1000 + i,
      origin: { agent: "script" },
    };
    const questions = [{ text: `Number ${i}?`, header: "Many", multiSelect: false, options }];
    const view = { id: `x${i}`, version: 1, kind: "question", state: "open", questions, ...more };
    return { id: view.id, version: 1, state: "open", project: null, createdAt: 1000 + i, view };
  });
  await eventually(async () => expect(await records.takeAsks("builder", asks, null, Date.now())).toBe(true));
}
