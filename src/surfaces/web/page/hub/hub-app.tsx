import { useMemo, useState } from "preact/hooks";
import { isAnswered, isFor } from "../../../../core/hub-ask.ts";
import {
  becameWords,
  claimWords,
  halvesWords,
  intentWords,
  lookingWords,
  machineWords,
  routeWords,
} from "../../../../core/words/hub-words.ts";
import type { HubAskView } from "../../../../protocol/hub/hub.ts";
import type { AskView } from "../../../../protocol/view.ts";
import type { Forms } from "../form/forms.ts";
import { Frame } from "../frame.tsx";
import { Inbox } from "../inbox/inbox.tsx";
import { Mismatches } from "../inbox/mismatches.tsx";
import type { InboxMore } from "../inbox/rows.tsx";
import { later } from "../later.tsx";
import { useRoute } from "../route.ts";
import { useChanging } from "../settings/subscribe.ts";
import { HubAskPane } from "./hub-ask-pane.tsx";
import type { HubModel } from "./hub-model.ts";
import { HubSignIn } from "./hub-sign-in.tsx";
import { useLooking } from "./looking.ts";

const Answered = later(async () => (await import("./answered.tsx")).Answered);
const GivenTasks = later(async () => (await import("./given-tasks.tsx")).GivenTasks);
const Team = later(async () => (await import("./team.tsx")).Team);
const TABS = [
  { view: "inbox", href: "#/", name: "Inbox" },
  { view: "answered", href: "#/answered", name: "Answered" },
  { view: "board", href: "#/board", name: "Tasks" },
  { view: "team", href: "#/team", name: "Team" },
] as const;
const VIEWS = ["board", "answered", "team"] as const;
type Props = { model: HubModel; forms: Forms; invite: string | undefined };

export function HubApp({ model, forms, invite }: Props) {
  const snapshot = useChanging(model.get, model.subscribe);
  const route = useRoute();
  const [code, setCode] = useState(invite);
  const waiting = useMemo(() => snapshot.open.filter((ask) => !isAnswered(ask)).length, [snapshot.open]);
  const more = useMemo(() => moreOf(model, forms), []);

  useLooking(snapshot.phase === "ready" ? route.ask : undefined);
  // Somebody with an invitation is somebody new, also at a browser where another one is signed in.
  if (code !== undefined || snapshot.phase === "signed-out")
    return <HubSignIn model={model} invite={code} why={snapshot.why} done={() => setCode(undefined)} />;
  const view = VIEWS.find((each) => each === route.view) ?? "inbox";
  const { here } = snapshot;
  const me = here && (
    <a class="me" href="#/team">
      {here.member.name}
    </a>
  );
  return (
    <Frame name="hub" snapshot={snapshot} route={route} view={view} tabs={TABS} waiting={waiting} beside={me}>
      <Mismatches model={model} snapshot={snapshot} />
      <main>
        {view === "inbox" && <Inbox model={model} forms={forms} snapshot={snapshot} selected={route.ask} more={more} />}
        {view === "answered" && <Answered snapshot={snapshot} />}
        {view === "board" && <GivenTasks snapshot={snapshot} />}
        {view === "team" && <Team model={model} snapshot={snapshot} />}
      </main>
    </Frame>
  );
}

/** The inbox of a hub: whose machine, who is on it, who answered. */
function moreOf(model: HubModel, forms: Forms): InboxMore {
  const of = (ask: AskView) => ask as HubAskView;
  return {
    choices: [
      { name: "Machine", every: "Every machine", of: (ask) => [of(ask).machine.name] },
      {
        name: "Person",
        every: "Everybody",
        of: (ask) => peopleIn(of(ask)),
      },
    ],
    note(ask, now) {
      const { machine, intent, claim, route, looking = [] } = of(ask);
      if (intent && isAnswered(of(ask))) return intentWords(intent, machine, now);
      const me = model.get().here?.member.id;
      const { halves } = of(ask);
      const isMine = isFor(of(ask), me, Date.now());
      const going = route && !isMine ? routeWords({ ...route, next: undefined }, now) : "";
      const who = claim && claim.until > now ? claimWords(claim, now) : going;
      const said = halves ? halvesWords(halves, ask.questions) : who;
      const parts = [isMine && "For you", machineWords(machine, now), said, lookingWords(looking, me)];
      return parts.filter(Boolean).join(" · ");
    },
    said: (ask, now) => becameWords(of(ask), now),
    failed(ask, now) {
      const { machine, intent } = of(ask);
      return intent?.state === "withdrawn" ? intentWords(intent, machine, now) : undefined;
    },
    isQuiet: (ask) => isAnswered(of(ask)),
    pane: (ask, settled) => <HubAskPane key={ask.id} ask={of(ask)} model={model} forms={forms} settled={settled} />,
  };
}

/** Of whom it is asked, who is on it, who answered. */
function peopleIn({ route, claim, intent }: HubAskView): string[] {
  const names = [
    claim?.member,
    intent?.member,
    ...(intent?.with ?? []),
    ...(route?.people.map(({ member }) => member) ?? []),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}
