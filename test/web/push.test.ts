import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { configPath } from "../../src/machine/config-file.ts";
import { createPushService } from "../messengers/push-service.ts";
import { eventually } from "../patience.ts";
import { browserTests, type Web } from "./browser.ts";

const inBrowser = browserTests({ whole: true, starts: false });
const SETTINGS =
  "[notify]\nafter_seconds = 0\n[notify.desktop]\nenabled = false\n[notify.push]\ntext = true\nprivate_services = true\n";

/** Whether it is signed in: the whole page, not only a call. */
const phaseOf = (page: Page) => page.evaluate("document.querySelector('.app')?.dataset.phase ?? 'signed-out'");
const shownIn = async (page: Page) =>
  (await page.evaluate(
    "navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => ({ title: n.title, body: n.body, tag: n.tag, actions: n.actions.map((a) => a.title) })))",
  )) as { title: string; body: string; tag: string; actions: string[] }[];

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
    // What the browser's own push service would do, which cannot be reached here.
    const api = (method: string, path: string, body?: object) =>
      page.evaluate(
        `fetch(${JSON.stringify(path)}, { method: ${JSON.stringify(method)}, headers: { "content-type": "application/json", "x-parley-page": JSON.parse(localStorage["parley.page"]).key }, body: ${body ? `JSON.stringify(${JSON.stringify(body)})` : "undefined"} }).then((r) => r.json())`,
      ) as Promise<Record<string, string>>;
    const { key = "" } = await api("GET", "/api/push");
    const { subscription, received } = service.subscribe(key);
    await api("POST", "/api/push", { subscription });
    await page.evaluate(
      `caches.open("parley-keys").then((cache) => cache.put("/page-key", new Response(JSON.parse(localStorage["parley.page"]).key)))`,
    );
    // What comes before its worker is there gets lost.
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    const cdp = await page.context().newCDPSession(page);
    const registered = new Promise<string>((done) =>
      cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
        if (first) done(first.registrationId);
      }),
    );
    await cdp.send("ServiceWorker.enable");
    const registrationId = await registered;
    const deliver = (at: number) =>
      cdp.send("ServiceWorker.deliverPushMessage", {
        origin: new URL(page.url()).origin,
        registrationId,
        data: JSON.stringify(received.at(at)),
      });
    const arrived = (count: number) => eventually(() => expect(received).toHaveLength(count));

    const { id } = await web.ask({ question: "Are you there?" });
    await arrived(1);
    await deliver(0);
    await eventually(async () =>
      expect(await shownIn(page)).toMatchObject([{ tag: id, actions: ["SQLite", "PostgreSQL"] }]),
    );
    expect((await shownIn(page))[0]?.body).toContain("Are you there?");
    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));
    await worker.evaluate(`self.registration.getNotifications({ tag: "${id}" }).then(([notification]) =>
    void self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action: "1" })))`);
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
    await deliver(2);
    await eventually(async () => expect((await shownIn(page)).map(({ tag }) => tag)).toContain(other.id));
    await web.program.parley(["answer", other.id, "SQLite"]);
    await arrived(4);
    await deliver(3);
    await eventually(async () => expect(await shownIn(page)).toEqual([]));
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
