import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { createPushService } from "../messengers/push-service.ts";
import { eventually } from "../patience.ts";

type Service = Awaited<ReturnType<typeof createPushService>>;
type Shown = { title: string; body: string; tag: string; actions: string[] };

/** How often the worker has shown something, from when this is first asked. */
const COUNTS = `(() => {
  if (self.timesShown === undefined) {
    self.timesShown = 0;
    const show = self.registration.showNotification.bind(self.registration);
    self.registration.showNotification = (...given) => show(...given).finally(() => void self.timesShown++);
  }
  return self.timesShown;
})()`;

/** A page that takes pushes from a played service; what the browser's own would do, which cannot be reached here, is done by hand. */
export async function pushedPage(page: Page, service: Service) {
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
  const worker = async () => page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));
  const count = async () => (await worker()).evaluate<number>(COUNTS);
  /** Hands the worker what came as the `at`-th, and waits until it has shown what it makes of it. */
  async function deliver(at: number): Promise<void> {
    const before = await count();
    const origin = new URL(page.url()).origin;
    await cdp.send("ServiceWorker.deliverPushMessage", {
      origin,
      registrationId,
      data: JSON.stringify(received.at(at)),
    });
    await eventually(async () => expect(await count()).toBeGreaterThan(before));
  }
  const shown = async () =>
    (await page.evaluate(
      "navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => ({ title: n.title, body: n.body, tag: n.tag, actions: n.actions.map((a) => a.title) })))",
    )) as Shown[];
  return {
    received,
    arrived: (count: number) => eventually(() => expect(received).toHaveLength(count)),
    deliver,
    shown,
    /**
     * The same, until it is shown. Whoever asks Chromium for its notifications in the moment one is shown makes it forget
     * that one: it is handed over again, in its own place.
     */
    shows: (at: number) =>
      eventually(async () => {
        const found = (await shown()).find(({ tag }) => tag === received.at(at)?.tag);
        if (found) return found;
        await deliver(at);
        throw new Error(`not shown: ${JSON.stringify(received.at(at))}`);
      }),
    async press(tag: string, action: string): Promise<void> {
      await (
        await worker()
      ).evaluate(`self.registration.getNotifications({ tag: "${tag}" }).then(([notification]) =>
        void self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action: "${action}" })))`);
    },
  };
}
