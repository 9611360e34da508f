// Shows notifications where a page may not show them itself (a phone, a closed browser), takes what is pressed on them,
// brings the person back to the question, and says so when the daemon cannot be reached.
const SHELL = "parley-shell";
const OFFLINE = ["/offline", "/offline.css", "/icon.svg"];
/** What the page puts there for us: its key, which goes with the cookie. */
const KEYS = "parley-keys";
/** So long an end is to be read; then nothing is left of it. */
const READ_MS = 4000;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // What a closing page still sends must not wait for this worker: it is gone before the worker has stepped aside.
  event.waitUntil(event.addRoutes?.({ condition: { urlPattern: "/api/*" }, source: "network" }).catch(() => undefined));
  // Without it there is no shell; all else works.
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(OFFLINE))
      .catch(() => undefined),
  );
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(navigate(event.request));
  else if (OFFLINE.includes(new URL(event.request.url).pathname)) event.respondWith(kept(event.request));
});

/** A proxy whose daemon is away answers 502, 503 or 504. */
async function navigate(request) {
  const response = await fetch(request).catch(() => undefined);
  if (response && ![502, 503, 504].includes(response.status)) return response;
  return (await caches.match("/offline")) ?? response ?? Response.error();
}

async function kept(request) {
  const response = await fetch(request).catch(() => undefined);
  return response?.ok ? response : ((await caches.match(request)) ?? response ?? Response.error());
}

self.addEventListener("push", (event) => event.waitUntil(pushed(event.data?.json() ?? {})));

async function pushed({ type, tag, ask, message, title = "Parley", body = "", actions = [], again = false, view }) {
  if (type === "close") return end(tag, title, ask, view);
  const most = Notification.maxActions ?? 0;
  await show(title, {
    tag,
    body,
    actions: actions.slice(0, most),
    data: { ask, message, view },
    renotify: again,
    requireInteraction: type === "ask",
  });
}

/** Browsers want to see something for every push; so it is said for a moment. */
async function end(tag, title, ask, view) {
  await show(title, { tag, data: { ask, view }, silent: true });
  await new Promise((done) => setTimeout(done, READ_MS));
  for (const each of await self.registration.getNotifications({ tag }))
    if (each.data?.message === undefined) each.close();
}

const show = (title, options) =>
  self.registration.showNotification(title, { icon: "/icon-192.png", badge: "/icon-192.png", ...options });

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  const { ask, message, view } = notification.data ?? {};
  notification.close();
  event.waitUntil(action === "" ? open(ask, view) : press(notification, Number(action), ask, message));
});

/** What became of it is said where it was pressed; what did not arrive can be answered in the page. */
async function press({ tag, title }, option, ask, message) {
  const told = await reply(message, option).catch(() => undefined);
  if (told?.state === "answered") return end(tag, told.words, ask);
  const body = told?.words ?? "Not answered: Parley cannot be reached. Open it to try again.";
  return show(title, { tag, body, data: { ask } });
}

async function reply(message, option) {
  const key = await (await caches.open(KEYS)).match("/page-key");
  const response = await fetch("/api/push/reply", {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", "x-parley-page": (await key?.text()) ?? "" },
    body: JSON.stringify({ message, option }),
  });
  const said = await response.json();
  return response.ok ? said : { state: "refused", words: `Not answered. ${said.error?.message ?? response.status}` };
}

async function open(ask, view) {
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return self.clients.openWindow(ask ? `/#/ask/${ask}` : view ? `/#/${view}` : "/");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of this worker is no window
  if (ask || view) page.postMessage({ ask, view });
  return page.focus();
}
