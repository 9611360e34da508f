import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isPlainKey } from "./keys.ts";
import { later } from "./later.tsx";
import type { Snapshot } from "./model.ts";
import type { Route } from "./route.ts";

const Help = later(async () => (await import("./help.tsx")).Help, "");
type Tab = { view: Route["view"]; href: string; name: string };
type Props = {
  snapshot: Pick<Snapshot, "phase" | "isLive">;
  route: Route;
  /** The one that is shown. */
  view: Route["view"];
  tabs: readonly Tab[];
  /** How many wait: the title and the first tab say it. */
  waiting: number;
  name?: string;
  beside?: ComponentChildren;
  children: ComponentChildren;
};

/** What stands around every view: the bar with its tabs, and the keys. */
export function Frame({ snapshot, route, view, tabs, waiting, name = "", beside, children }: Props) {
  const [helps, setHelps] = useState(false);
  useEffect(() => sayWaiting(waiting), [waiting]);
  // Whoever signs out leaves no number behind.
  useEffect(() => () => sayWaiting(0), []);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "?" && isPlainKey(event)) setHelps((shown) => !shown);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return (
    <div class={`app ${name}`} data-phase={snapshot.phase} data-view={view} data-open={route.ask !== undefined}>
      <header class="bar">
        <a class="brand" href="#/">
          <img src="/icon.svg" alt="" width="20" height="20" />
          Parley
        </a>
        <nav aria-label="Views">
          {tabs.map((tab, at) => (
            <a key={tab.view} href={tab.href} aria-current={tab.view === view ? "page" : undefined}>
              {tab.name}
              {at === 0 && waiting > 0 && <b class="count">{waiting}</b>}
            </a>
          ))}
        </nav>
        <span class="line" role="status">
          {snapshot.isLive ? "" : "Connection lost; trying again …"}
        </span>
        {beside}
        <button class="plain keys" type="button" onClick={() => setHelps(true)} aria-label="Keyboard shortcuts">
          ?
        </button>
      </header>
      <div class="room">{children}</div>
      {helps && <Help close={() => setHelps(false)} />}
    </div>
  );
}

function sayWaiting(waiting: number): void {
  document.title = waiting > 0 ? `(${waiting}) Parley` : "Parley";
  const badge = navigator as { setAppBadge?: (count: number) => Promise<void> };
  badge.setAppBadge?.(waiting).catch(() => undefined);
}
