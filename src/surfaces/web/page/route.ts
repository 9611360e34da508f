import { useEffect, useState } from "preact/hooks";

export type Route = { view: "inbox" | "history" | "settings"; ask?: string };

export const askPath = (id: string) => `#/ask/${encodeURIComponent(id)}`;

/** `quietly`: the step back leads to where the person was before. */
export function goTo(hash: string, { quietly = false } = {}): void {
  if (location.hash === hash) return;
  if (!quietly) return void (location.hash = hash);
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const moved = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return route;
}

/** The one-time code that `parley open` put there, taken out of the address at once. */
export function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, "", "/");
  return code;
}

function readRoute(hash: string): Route {
  const ask = /^#\/ask\/([\w%-]+)$/.exec(hash)?.[1];
  if (ask !== undefined) return { view: "inbox", ask: decodeURIComponent(ask) };
  if (hash === "#/history") return { view: "history" };
  return hash === "#/settings" ? { view: "settings" } : { view: "inbox" };
}
