import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { PATIENCE_MS } from "../../src/lab/poll.ts";
import { configPath } from "../../src/machine/settings/config-file.ts";
import { createPushService } from "../messengers/push-service.ts";
import { eventually } from "../patience.ts";
import { browserTests, type Web } from "./browser.ts";
import { pushedPage } from "./pushed-page.ts";

const inBrowser = browserTests({ whole: true, starts: false });
const SETTINGS =
  "[notify]\nafter_seconds = 0\n[notify.desktop]\nenabled = false\n[notify.push]\ntext = true\nprivate_services = true\n";

/** Whether it is signed in: the whole page, not only a call. */
const phaseOf = (page: Page) => page.evaluate("document.querySelector('.app')?.dataset.phase ?? 'signed-out'");
async function start({ program }: Web): Promise<void> {
  const file = configPath({ HOME: program.user }, program.user);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, SETTINGS);
  await program.start();
}

async function pair(web: Web, name: string): Promise<Page> {
  const { port } = new URL(web.program.url());
  const { out } = await web.program.parley(["phone", `http://localhost:${port}`, "--name", name, "--json"]);
  const context = await web.browser.newContext({
    viewport: { width: 390, height: 844 },
    permissions: ["notifications"],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto((JSON.parse(out) as { url: string }).url);
  await page.locator('.app[data-phase="ready"]').waitFor();
  return page;
}

inBrowser(
  "[WP30] a paired phone is shown the question by its worker, and the button pressed there answers it",
  async (web) => {
    await start(web);
    await using service = await createPushService();
    const page = await pair(web, "Pixel");
    expect(page.url()).toEndWith("/#/settings");
    await page.getByRole("button", { name: "Push questions to this device" }).waitFor();
    const { arrived, deliver, shown, shows, press } = await pushedPage(page, service);

    const { id } = await web.ask({ question: "Are you there?" });
    await arrived(1);
    const first = await shows(0);
    expect(first).toMatchObject({ tag: id, actions: ["SQLite", "PostgreSQL"] });
    expect(first.body).toContain("Are you there?");
    await press(id, "1");
    await eventually(async () =>
      expect((await web.get(id)).outcome).toMatchObject({
        type: "answered",
        actor: { surface: "push", name: "Pixel" },
        answers: [{ picks: [1] }],
      }),
    );
    await arrived(2);
    // Answered elsewhere: what is shown goes away.
    const other = await web.ask({ question: "And now?" });
    await arrived(3);
    expect((await shows(2)).tag).toBe(other.id);
    await web.program.parley(["answer", other.id, "SQLite"]);
    await arrived(4);
    await deliver(3);
    await eventually(async () => expect(await shown()).toEqual([]));
  },
);

inBrowser("[WP31] a phone that is revoked is out at once: its page, its calls and its pushes", async (web) => {
  await start(web);
  const page = await pair(web, "Pixel");
  const again = await pair(web, "Pixel");
  const names = async () => {
    const { out } = await web.program.parley(["phone", "list", "--json"]);
    return (JSON.parse(out) as { phones: { name: string }[] }).phones.map(({ name }) => name);
  };
  expect(await names()).toEqual(["Pixel", "Pixel 2"]);
  const { out } = await web.program.parley(["phone", "revoke", "Pixel"]);
  expect(out).toBe("✓ Pixel may not come in any more\n");
  await eventually(async () => expect(await phaseOf(page)).toBe("signed-out"));
  expect([await phaseOf(again), await names()]).toEqual(["ready", ["Pixel 2"]]);
  expect((await web.program.parley(["phone", "revoke", "Pixel"])).err).toContain('No phone called "Pixel" is paired');
});

inBrowser("[WP32] while the daemon is away the installed page says so, and comes back with it", async (web) => {
  await start(web);
  const page = await pair(web, "Pixel");
  await page.evaluate(
    "navigator.serviceWorker.ready.then(() => caches.match('/offline')).then((found) => { if (!found) throw new Error('no shell') })",
  );
  const port = new URL(web.program.url()).port;
  await web.program.parley(["down"]);
  await page.goto(`http://localhost:${port}/`);
  await page.getByRole("heading", { name: "Parley cannot be reached" }).waitFor();
});
