import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createPushService } from "../messengers/push-service.ts";
import { eventually, TEST_MS } from "../patience.ts";
import { noBrowser, openHubPages } from "./hub-browser.ts";
import { openStage } from "./hub-stage.ts";

setDefaultTimeout(TEST_MS);
const SKIPPED = noBrowser === undefined ? "" : ` (skipped: ${noBrowser})`;
const PHONE = { viewport: { width: 390, height: 844 }, permissions: ["notifications"] };

test.skipIf(noBrowser !== undefined)(
  `[PE6] typed routes and real pages: whose question it is, who else is looking, what a phone's worker shows and takes back${SKIPPED}`,
  async () => {
    await using stage = await openStage();
    await using pages = await openHubPages();
    await using service = createPushService();
    const hub = await stage.startHub("--push-text", "--push-private");
    await stage.join(hub);
    const ann = await pages.open(hub.firstMemberLink ?? "");
    await ann.getByLabel("Your name").fill("Ann");
    await ann.getByRole("button", { name: "Make a passkey" }).click();
    await ann.locator('.app[data-phase="ready"]').waitFor();
    const { link } = await stage.admin("invite", "Bob", "--role", "answerer");
    const bob = await pages.open(link, PHONE);
    await bob.getByRole("button", { name: "Make a passkey" }).click();
    await bob.locator('.app[data-phase="ready"]').waitFor();
    expect(await stage.admin("group", "ops", "Ann", "Bob")).toEqual({ name: "ops", members: ["Ann", "Bob"] });
    const made = await stage.admin("route", "--to", "Bob", "--to", "ops", "--project", "project", "--after", "8m");
    expect(await stage.admin("route")).toEqual({ routes: [made] });
    const deliver = await takesPushes(bob, service);

    const asked = await stage.ask("Which button?");
    await deliver(0);
    await eventually(async () => expect(await shownIn(bob)).toEqual([asked.id]));
    await bob.locator(".row", { hasText: "For you" }).locator("a").click();
    await bob.locator(".routed", { hasText: "asked of Bob, then of the group ops; goes on in" }).waitFor();
    await ann.goto(`${hub.page}/#/ask/${asked.id}`);
    await bob.locator(".looking", { hasText: "Ann is looking" }).waitFor();
    await ann.locator(".looking", { hasText: "Bob is looking" }).waitFor();
    const { env } = await stage.person(hub, "Bob", "answerer");
    const mine = await stage.machine.parley(["ls", "--hub", "--for", "me", "--json"], { env });
    const ids = (out: string) => (JSON.parse(out) as { asks: { id: string }[] }).asks.map(({ id }) => id);
    expect(ids(mine.out)).toEqual([asked.id]);
    const none = await stage.machine.parley(["ls", "--hub", "--for", "Bob", "--machine", "other", "--json"], { env });
    expect(ids(none.out)).toEqual([]);
    // The tab is closed: nobody looks any more; and whoever answers, the phone shows nothing of it.
    await ann.locator('form.answer[data-ready="true"]').waitFor();
    await ann.locator(".option").nth(0).click();
    await ann.getByRole("button", { name: "Confirm Answers" }).click();
    expect(await asked.ended).toMatchObject({ code: 0, out: "Yes\n" });
    await ann.goto("about:blank");
    await bob.locator(".looking").waitFor({ state: "detached" });
    await deliver(1);
    await eventually(async () => expect(await shownIn(bob)).toEqual([]));
  },
);

const shownIn = async (page: Page) =>
  (await page.evaluate(
    "navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => n.tag))",
  )) as string[];

/** What the browser's own push service would do, which cannot be reached here: its worker gets what was sent. */
async function takesPushes(page: Page, service: ReturnType<typeof createPushService>) {
  const api = (method: string, body?: object) =>
    page.evaluate(
      `fetch("/api/push", { method: "${method}", headers: { "content-type": "application/json", "x-parley-page": JSON.parse(localStorage["parley.page"]).key }, body: ${body ? `JSON.stringify(${JSON.stringify(body)})` : "undefined"} }).then((r) => r.json())`,
    ) as Promise<Record<string, string>>;
  const { subscription, received } = service.subscribe((await api("GET"))["key"] ?? "");
  await api("POST", { subscription });
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((done) =>
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first) done(first.registrationId);
    }),
  );
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  return async (at: number) => {
    await eventually(() => expect(received.length).toBeGreaterThan(at));
    const { origin } = new URL(page.url());
    const data = JSON.stringify(received[at]);
    await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}
