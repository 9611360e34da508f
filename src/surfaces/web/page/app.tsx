import { isSnoozed } from "../../../core/ask/ask-state.ts";
import { useEffect } from "preact/hooks";
import type { Forms } from "./form/forms.ts";
import { Frame } from "./frame.tsx";
import { Inbox } from "./inbox/inbox.tsx";
import { later } from "./later.tsx";
import { Mismatches } from "./inbox/mismatches.tsx";
import { Mistakes } from "./form/mistakes.tsx";
import type { Model } from "./model.ts";
import { useRoute } from "./route.ts";
import { SignIn } from "./sign-in.tsx";
import { useChanging } from "./settings/subscribe.ts";
import type { TaskModel } from "./board/task-model.ts";

const Board = later(async () => (await import("./board/board.tsx")).Board);
const History = later(async () => (await import("./history/history.tsx")).History);
const Grants = later(async () => (await import("./grants/grants.tsx")).Grants);
const Bulk = later(async () => (await import("./grants/bulk.tsx")).Bulk);
const Settings = later(async () => (await import("./settings/settings.tsx")).Settings);

type Props = { model: Model; tasks: TaskModel; forms: Forms; refused: string | undefined };

const TABS = [
  { view: "inbox", href: "#/", name: "Inbox" },
  { view: "board", href: "#/board", name: "Board" },
  { view: "history", href: "#/history", name: "History" },
  { view: "grants", href: "#/grants", name: "Grants" },
  { view: "settings", href: "#/settings", name: "Settings" },
] as const;
/** Read once the page stands, in this order. */
const VIEWS = [Board, History, Grants, Bulk, Settings];

export function App({ model, tasks, forms, refused }: Props) {
  const snapshot = useChanging(model.get, model.subscribe);
  const route = useRoute();
  const waiting = snapshot.open.filter((ask) => !isSnoozed(ask, Date.now())).length;

  useEffect(() => VIEWS.forEach((view) => view.read()), []);

  if (snapshot.phase === "signed-out") return <SignIn model={model} refused={refused} />;
  return (
    <Frame snapshot={snapshot} route={route} view={route.view} tabs={TABS} waiting={waiting}>
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
    </Frame>
  );
}
