import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { onTerminal } from "../e2e/cli-terminal.ts";
import { mismatchAfter, PARAGRAPH } from "../e2e/mismatch-stage.ts";
import { TEST_MS } from "../patience.ts";
import { ready } from "../web/browser.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage, shown } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);

test.skipIf(noBrowser !== undefined)(
  `[HP6] whoever answered on a hub's page hears there that the agent received something else, until they have read it, also later; nobody else does${noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    const hub = await stage.startHub();
    const project = join(stage.machine.root, "project");
    mkdirSync(project);
    await stage.join(hub, stage.machine, project);
    const ann = await pages.open(hub.firstMemberLink ?? "");
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.getByRole("link", { name: "Team" }).waitFor();
    const { link } = await stage.admin("invite", "Bob", "--role", "answerer");
    const bob = await pages.open(link);
    await bob.getByRole("button", { name: "Make a passkey" }).click();
    const watcher = await stage.person(hub, "Eve", "viewer");
    async function mismatchOn(page: Page): Promise<void> {
      const asked = await mismatchAfter(stage.machine, async () => {
        await page.goto(`${hub.page}/#/`);
        await page.locator(".row a", { hasText: "Which approach" }).click();
        await ready(page);
        await page.locator(".option").first().click();
        await page.getByRole("button", { name: "Confirm Answers" }).click();
      });
      await shown(watcher.client, asked.id, { state: "mismatched" });
    }
    await mismatchOn(ann);
    await ann.getByRole("alert").filter({ hasText: PARAGRAPH }).waitFor();
    // Who opens the page later hears it as well, and after reading it no more.
    await ann.reload();
    await ann.getByRole("alert").filter({ hasText: "not submitted correctly" }).waitFor();
    await ann.getByRole("button", { name: "Got it" }).click();
    // What each of them answers next is told to them alone, and of all there is: live, and to who opens the page later.
    for (const page of [ann, bob]) await mismatchOn(page);
    for (const page of [ann, bob]) {
      const told = page.getByRole("alert").getByText("not submitted correctly");
      await told.first().waitFor();
      expect(await told.count()).toBe(1);
      await page.reload();
      await told.first().waitFor();
      expect(await told.count()).toBe(1);
    }
  },
);

test("[HP7] whoever answered through a hub in a shell hears with the next command there, once, that the agent received something else; a program in its JSON", async () => {
  await using stage = await openStage();
  const { machine } = stage;
  const hub = await stage.startHub();
  const project = join(machine.root, "project");
  mkdirSync(project);
  await stage.join(hub, machine, project);
  const [ann, bob] = [await stage.person(hub, "Ann", "answerer"), await stage.person(hub, "Bob", "answerer")];
  const screen = async (env: Record<string, string>) =>
    (await onTerminal(machine, ["ls", "--hub"], { columns: 400, env })).text;
  // Shells on machines of their own: at the agent's, whoever looks first is told as well.
  const [anns, bobs] = [
    { ...ann.env, PARLEY_HOME: join(machine.root, "ann") },
    { ...bob.env, PARLEY_HOME: join(machine.root, "bob") },
  ];
  const told: string[] = [];
  async function answer({ id }: { id: string }): Promise<void> {
    await shown(ann.client, id, { state: "open" });
    const env = { ...anns, PARLEY_RECEIPT_MS: "1" };
    const { code, out, err } = await machine.parley(["answer", id, "1", "--hub", "--json"], { env });
    // Where the receipt is faster than the command's last look, it says so itself.
    expect({ is: [0, 5].includes(code), err }).toEqual({ is: true, err: "" });
    told.push(...(JSON.parse(out).mismatches ?? []));
  }
  const first = await mismatchAfter(machine, answer);
  await shown(ann.client, first.id, { state: "mismatched" });
  expect(await screen(bobs)).not.toContain(PARAGRAPH);
  expect((await machine.parley(["ls", "--hub"], { env: anns })).err).toBe("");
  const said = [...told.splice(0), await screen(anns)].join("\n");
  expect(said.split(PARAGRAPH).length).toBe(2);
  expect(said).toContain("**You intended:** option 0 (Option A)   **Claude Code received:** Option B");
  expect(await screen(anns)).not.toContain(PARAGRAPH);
  const second = await mismatchAfter(machine, answer);
  await shown(ann.client, second.id, { state: "mismatched" });
  const third = await stage.ask("And this?", project);
  await answer(third);
  expect(told).toEqual([expect.stringContaining(PARAGRAPH)]);
  expect(await screen(anns)).not.toContain(PARAGRAPH);
  await third.ended;
});
