import { isSnoozed } from "../../../core/ask/ask-state.ts";
import { useEffect, useState } from "preact/hooks";
import type { Forms } from "./form/forms.ts";
import { Inbox } from "./inbox/inbox.tsx";
import { isPlainKey } from "./keys.ts";
import { later } from "./later.tsx";
import { Mismatches } from "./inbox/mismatches.tsx";
import { Mistakes } from "./form/mistakes.tsx";
import type { Model } from "./model.ts";
import { type Route, useRoute } from "./route.ts";
import { SignIn } from "./sign-in.tsx";
import { useChanging } from "./settings/subscribe.ts";
import type { TaskModel } from "./board/task-model.ts";

const Help = later(async () => (await import("./help.tsx")).Help, "");
const Board = later(async () => (await import("./board/board.tsx")).Board);
const History = later(async () => (await import("./history/history.tsx")).History);
const Grants = later(async () => (await import("./grants/grants.tsx")).Grants);
const Bulk = later(async () => (await import("./grants/bulk.tsx")).Bulk);
const Settings = later(async () => (await import("./settings/settings.tsx")).Settings);

type Props = { model: Model; tasks: TaskModel; forms: Forms; refused: string | undefined };

/** Read once the page stands, in this order. */
const VIEWS = [Board, History, Grants, Bulk, Settings];

export function App({ model, tasks, forms, refused }: Props) {
  const snapshot = useChanging(model.get, model.subscribe);
  const route = useRoute();
  const [helps, setHelps] = useState(false);
  const waiting = snapshot.open.filter((ask) => !isSnoozed(ask, Date.now())).length;

  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Parley` : "Parley";
    const badge = navigator as { setAppBadge?: (count: number) => Promise<void> };
    badge.setAppBadge?.(waiting).catch(() => undefined);
  }, [waiting]);

  useEffect(() => VIEWS.forEach((view) => view.read()), []);

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "?" && isPlainKey(event)) setHelps((shown) => !shown);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);

  if (snapshot.phase === "signed-out") return <SignIn model={model} refused={refused} />;
  return (
    <div class="app" data-phase={snapshot.phase} data-view={route.view} data-open={route.ask !== undefined}>
      <header class="bar">
        <a class="brand" href="#/">
          <img src="/icon.svg" alt="" width="20" height="20" />
          Parley
        </a>
        <nav aria-label="Views">
          <Tab route={route} view="inbox" href="#/" name="Inbox" count={waiting} />
          <Tab route={route} view="board" href="#/board" name="Board" />
          <Tab route={route} view="history" href="#/history" name="History" />
          <Tab route={route} view="grants" href="#/grants" name="Grants" />
          <Tab route={route} view="settings" href="#/settings" name="Settings" />
        </nav>
        <span class="line" role="status">
          {snapshot.isLive ? "" : "Connection lost; trying again …"}
        </span>
        <button class="plain keys" type="button" onClick={() => setHelps(true)} aria-label="Keyboard shortcuts">
          ?
        </button>
      </header>
      <div class="room">
        {snapshot.phase === "ready" && <Mistakes />}
        <Mismatches model={model} snapshot={snapshot} />
        <main>
          {route.view === "inbox" && <Inbox model={model} forms={forms} snapshot={snapshot} selected={route.ask} />}
          {route.view === "board" && (
            <Board tasks={tasks} model={model} forms={forms} snapshot={snapshot} route={route} />
          )}
          {route.view === "history" && <History model={model} />}
          {route.view === "grants" && <Grants snapshot={snapshot} />}
          {route.view === "approvals" && <Bulk model={model} snapshot={snapshot} />}
          {route.view === "settings" && <Settings model={model} />}
        </main>
      </div>
      {helps && <Help close={() => setHelps(false)} />}
    </div>
  );
}

type TabProps = { route: Route; view: Route["view"]; href: string; name: string; count?: number };

function Tab({ route, view, href, name, count = 0 }: TabProps) {
  return (
    <a href={href} aria-current={route.view === view ? "page" : undefined}>
      {name}
      {count > 0 && <b class="count">{count}</b>}
    </a>
  );
}
