import { useLayoutEffect, useState } from "preact/hooks";

const VIEWS = ["board", "history", "grants", "approvals", "settings", "answered", "team"] as const;
export type Route = { view: "inbox" | (typeof VIEWS)[number]; ask?: string; task?: string; isNew?: boolean };

export const askPath = (id: string) => `#/ask/${encodeURIComponent(id)}`;
export const taskPath = (id: string) => `#/task/${encodeURIComponent(id)}`;
export const NEW_TASK = "#/board/new";

/** `quietly`: the step back leads to where the person was before. */
export function goTo(hash: string, { quietly = false } = {}): void {
  if (location.hash === hash) return;
  if (!quietly) return void (location.hash = hash);
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  // With the drawing, not after it: whoever moves on in between would be heard by nobody.
  useLayoutEffect(() => {
    const moved = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return route;
}

/** The one-time code that `parley open` put there, taken out of the address at once; the question beside it stays. */
export function takeCode(): string | undefined {
  const [, code, ask] = /^#code=([\w-]+)(?:&(?:ask=([\w-]+)|phone|answered))?$/.exec(location.hash) ?? [];
  const [, view] = /&(phone|answered)$/.exec(location.hash) ?? [];
  const known = view === "phone" ? "/#/settings" : view === "answered" ? "/#/answered" : "/";
  const next = ask === undefined ? known : `/${askPath(ask)}`;
  if (code !== undefined) history.replaceState(null, "", next);
  return code;
}

function readRoute(hash: string): Route {
  const [, kind, id] = /^#\/(ask|task)\/([\w%-]+)$/.exec(hash) ?? [];
  if (id !== undefined && kind === "ask") return { view: "inbox", ask: decodeURIComponent(id) };
  if (id !== undefined) return { view: "board", task: decodeURIComponent(id) };
  if (hash === NEW_TASK) return { view: "board", isNew: true };
  const view = VIEWS.find((name) => hash === `#/${name}`);
  return { view: view ?? "inbox" };
}
