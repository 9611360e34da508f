import { call } from "../api.ts";
import { pageKey } from "../page-key.ts";

/** What this browser can do about pushes. `why`: in words, where it cannot. */
export type PushState = { state: "on" | "off" | "cannot"; why?: string; name?: string; text?: boolean };

/** Where the worker finds the page's key; only pages of this address can read it. */
const KEYS = "parley-keys";

export async function pushState(): Promise<PushState> {
  const why = whyNot();
  if (why !== undefined) return { state: "cannot", why };
  const { on, name, text } = await call("pushState");
  const own = await (await ready()).pushManager.getSubscription();
  return { state: on && own ? "on" : "off", name, text };
}

/** Contract: says in words what the browser or the daemon did not allow. Must be called for a click: browsers ask then. */
export async function startPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("The browser does not allow notifications here: see its settings for this address.");
  await subscribe();
}

export async function stopPush(): Promise<void> {
  await call("pushTo", { body: { subscription: null } });
  const own = await (await ready()).pushManager.getSubscription();
  await own?.unsubscribe();
}

/** A browser may have changed its address, or the daemon its key: what was switched on stays so. */
export async function renewPush(): Promise<void> {
  if (whyNot() !== undefined || Notification.permission !== "granted") return;
  const own = await (await ready()).pushManager.getSubscription();
  if (own) await subscribe();
}

async function subscribe(): Promise<void> {
  const { key } = await call("pushState");
  const { pushManager } = await ready();
  const wanted = bytesOf(key);
  const before = await pushManager.getSubscription();
  const isOurs = String(new Uint8Array(before?.options.applicationServerKey ?? new ArrayBuffer(0))) === String(wanted);
  if (before && !isOurs) await before.unsubscribe();
  const made = before && isOurs ? before : await pushManager.subscribe(wants(wanted));
  const { endpoint = "", keys = {} } = made.toJSON();
  const { p256dh = "", auth = "" } = keys;
  await call("pushTo", { body: { subscription: { endpoint, p256dh, auth } } });
  await (await caches.open(KEYS)).put("/page-key", new Response(pageKey()?.key ?? ""));
}

const wants = (applicationServerKey: Uint8Array<ArrayBuffer>) => ({ userVisibleOnly: true, applicationServerKey });
const ready = () => navigator.serviceWorker.ready;

function whyNot(): string | undefined {
  if (!isSecureContext) return "Notifications need https or 127.0.0.1.";
  if ("PushManager" in globalThis && "serviceWorker" in navigator && "Notification" in globalThis) return undefined;
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  return isApple
    ? "On an iPhone, first add this page to the home screen (Share → Add to Home Screen) and open it there."
    : "This browser takes no pushes.";
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
