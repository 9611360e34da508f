import { expect } from "bun:test";
import { eventually } from "../patience.ts";
import { browserTests } from "./browser.ts";

/** What the engine alone does not do: notifications, being installed. */
const inBrowser = browserTests({ whole: true });

inBrowser("[WB35] a notification has the question, and a click on it opens that question", async (web) => {
  const page = await web.open({ permissions: ["notifications"] });
  await page.goto(`${web.program.url()}/#/settings`);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("Sent. If nothing came up").waitFor();
  await eventually(async () =>
    expect(await page.getByRole("checkbox", { name: "Tell me about new questions" }).isChecked()).toBe(true),
  );
  // Whoever asks Chromium for its notifications in the moment one is shown makes it forget that one.
  await page.evaluate(`navigator.serviceWorker.ready.then(() => {
    globalThis.tagsShown = [];
    const { prototype } = ServiceWorkerRegistration;
    const show = prototype.showNotification;
    prototype.showNotification = function (title, options) {
      return show.call(this, title, options).finally(() => tagsShown.push(options.tag));
    };
  })`);
  // A page that nobody looks at.
  await page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })");
  const { id } = await web.ask({ question: "Are you there?" }, { agent: "script", project: "shop" });
  const shown = async () =>
    (await page.evaluate(
      "navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => [n.title, n.body, n.data.ask]))",
    )) as string[][];
  await eventually(async () => expect(await page.evaluate<string[]>("tagsShown")).toContain(id));
  // Beside that of the test, unless the browser has taken it away by now.
  await eventually(async () => expect(await shown()).toContainEqual(["shop · script", "Are you there?", id]));
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));
  await worker.evaluate(`self.registration.getNotifications({ tag: "${id}" }).then(([notification]) =>
    void self.dispatchEvent(new NotificationEvent("notificationclick", { notification })))`);
  await page.waitForURL(`**/#/ask/${id}`);
});

inBrowser("[WB36] the page can be installed", async (web) => {
  const page = await web.open();
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = (await (await page.request.get(`${web.program.url()}${href}`)).json()) as {
    icons: { src: string }[];
  };
  expect(manifest).toMatchObject({ name: "Parley", display: "standalone", start_url: "/" });
  const cdp = await page.context().newCDPSession(page);
  await eventually(async () => {
    const { errors } = await cdp.send("Page.getAppManifest");
    const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
    // What a test browser is: it keeps nothing.
    const real = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
    expect({ errors, real }).toEqual({ errors: [], real: [] });
  });
});
