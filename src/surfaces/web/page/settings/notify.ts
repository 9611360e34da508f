import { askTitle } from "../../../../core/ask/title.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { getPrefs } from "./prefs.ts";
import { askPath, goTo } from "../route.ts";
import { beep } from "./sound.ts";

/** Of nine open tabs one speaks: the one that holds this lock. */
let isSpeaker = false;
const policy = trustedUrls();

export function startNotifying(): void {
  if ("locks" in navigator)
    void navigator.locks.request("parley-speaker", () => ((isSpeaker = true), new Promise<never>(() => {})));
  else isSpeaker = true;
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(policy("/worker.js")).catch(() => undefined);
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ ask?: string; view?: string }>) => {
    if (data.ask !== undefined) goTo(askPath(data.ask));
    else if (data.view !== undefined) goTo(`#/${data.view}`);
  });
}

export function tellAbout(ask: AskView): void {
  if (!isSpeaker) return;
  const { notify, sound } = getPrefs();
  if (sound) beep();
  // Who looks at the page sees the question there.
  if (!notify || document.visibilityState === "visible") return;
  const from = [ask.origin.project, ask.origin.sessionTitle, ask.agentTitle].filter(Boolean).join(" · ");
  void show(safeLine(from, { max: 100 }), askTitle(ask), ask.id);
}

/** Says what happened, for the button in the settings. */
export async function sendTest(): Promise<string> {
  if (!("Notification" in globalThis)) return "Notifications need https or 127.0.0.1.";
  if ((await Notification.requestPermission()) !== "granted") return "The browser does not allow notifications here.";
  await show("Parley", "This is how a question will reach you.", undefined);
  return "Sent. If nothing came up, look at your system's settings for this browser.";
}

async function show(title: string, body: string, ask: string | undefined): Promise<void> {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  const options = { body, tag: ask ?? "parley-test", icon: "/icon-192.png", badge: "/icon-192.png", data: { ask } };
  const registration = await navigator.serviceWorker?.getRegistration();
  // One that is still being installed shows nothing.
  if (registration?.active) return registration.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.addEventListener("click", () => {
    focus();
    if (ask !== undefined) goTo(askPath(ask));
  });
}

type Urls = (path: string) => string;
/** The only address a script is ever loaded from by name. */
function trustedUrls(): Urls {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): object } };
  const only = (path: string) => (path === "/worker.js" ? path : "/");
  if (!trustedTypes) return only;
  const made = trustedTypes.createPolicy("parley", { createScriptURL: only }) as { createScriptURL: Urls };
  return (path) => made.createScriptURL(path);
}
