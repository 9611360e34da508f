// Shows notifications where a page may not show them itself (Android) and brings the person back to the question.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.ask));
});

async function show(ask) {
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return self.clients.openWindow(ask ? `/#/ask/${ask}` : "/");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of this worker is no window
  if (ask) page.postMessage({ ask });
  return page.focus();
}
