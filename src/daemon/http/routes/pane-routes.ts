import { agentNamed } from "../../../agents/agents.ts";
import { readActions } from "../../../core/ask/answer/action.ts";
import type { Ask, Pane } from "../../../core/ask/ask.ts";
import { ParleyError } from "../../../core/error.ts";
import type { Settlement } from "../../../core/ask/settle.ts";
import { intentOf, refuseIntent } from "../../../keys/drive/intent.ts";
import { isShown } from "../../../keys/match.ts";
import { layoutsFor } from "../../../keys/read/read-pane.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Store } from "../../../store/store.ts";
import { actorOf } from "../../../inbox/callers.ts";
import type { Inbox } from "../../../inbox/inbox.ts";
import { factsOfPane, screenIn } from "../../../delivery/pane-agent.ts";
import type { PaneWatch } from "../../../delivery/pane-watch.ts";
import type { ServerWatch } from "../../../delivery/remote/server-watch.ts";
import type { PANE_ENDPOINTS } from "../../../protocol/pane.ts";
import type { Routes } from "./route.ts";

type Deps = { store: Store; inbox: Inbox; panes: PaneWatch; servers: ServerWatch };
type PaneRoutes = Pick<Routes, keyof typeof PANE_ENDPOINTS>;

export function createPaneRoutes({ store, inbox, panes, servers }: Deps, view: (ask: Ask) => AskView): PaneRoutes {
  /**
   * The question that stands on the screen now; nothing that is open elsewhere is taken for it.
   * Contract: throws when keys would not reach the program there.
   */
  async function askIn(session: string | undefined, named: Pane | undefined): Promise<Ask> {
    const where = named ?? (session === undefined ? undefined : (await store.session(session))?.pane);
    if (!where) throw none("no tmux pane of this session is known");
    const pane = factsOfPane(where)?.pane;
    if (!pane) throw none(`the tmux pane ${where.id} is gone`);
    const found = await screenIn(pane);
    const open = await store.list({ states: ["open"], ...(session !== undefined && { session }), limit: 1000 });
    const here = open.filter(
      (ask) => ask.kind === "question" && (session !== undefined || isSame(ask.origin.pane, pane)),
    );
    const standing = found ? here.filter(({ questions }) => isShown(found.screen, questions)) : [];
    const [shown, ...others] = await panes.living(standing);
    if (others.length > 0)
      throw new ParleyError("ambiguous", "Several open questions can be the one on the screen: use parley answer");
    if (shown) return shown;
    const { ask, sees } = await panes.look(pane);
    if (!ask) throw none(sees);
    if (session !== undefined && ask.origin.session !== session) throw none("it belongs to another session");
    return ask;
  }

  /** What cannot be typed is refused while the question is open, so that another answer can follow. */
  async function refuseKeys({ origin, questions }: Ask, settlement: Settlement): Promise<void> {
    const agent = agentNamed(origin.agent);
    const session = origin.session === undefined ? undefined : await store.session(origin.session);
    const version = session?.transcript === undefined ? undefined : await agent?.record?.versionOf(session.transcript);
    const refusal = refuseIntent(questions, intentOf(settlement), layoutsFor(agent?.screens ?? [], version));
    if (refusal !== undefined) throw new ParleyError("not_answerable", `This cannot be typed: ${refusal}`);
  }

  return {
    listServers: async () => ({ servers: servers.list() }),
    watchServer: ({ body }) => servers.watch(body),
    unwatchServer: async ({ body }) => ({ watched: servers.unwatch(body) }),
    listPanes: async () => ({ panes: panes.list() }),
    watchPane: ({ body }) => panes.watch(body),
    unwatchPane: async ({ body }) => ({ watched: panes.unwatch(body) }),
    async answerPane({ body: { session, pane, actions, inside }, caller }) {
      if ((session === undefined) === (pane === undefined))
        throw new ParleyError("usage", "Give either a session or a pane");
      const ask = await askIn(session, pane);
      const settlement = readActions(ask.questions, actions);
      await refuseKeys(ask, settlement);
      return view(await inbox.settle(ask.id, settlement, actorOf(caller, "keys", inside)));
    },
  };
}

const none = (sees: string) => new ParleyError("not_found", `There is no question to answer: ${sees}`);

function isSame(pane: Pane | undefined, { server, id, pid }: Pane): boolean {
  return pane?.server === server && pane.id === id && (pane.pid ?? pid) === pid;
}
