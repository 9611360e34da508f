import { readActions } from "../core/action.ts";
import type { Ask, Pane } from "../core/ask.ts";
import { ParleyError } from "../core/error.ts";
import type { AskView } from "../protocol/view.ts";
import type { Store } from "../store/store.ts";
import type { Inbox } from "./inbox.ts";
import type { PaneWatch } from "./pane-watch.ts";
import type { Routes } from "./routes.ts";

type Deps = { store: Store; inbox: Inbox; panes: PaneWatch };
type PaneRoutes = Pick<Routes, "listPanes" | "watchPane" | "unwatchPane" | "answerPane">;

export function createPaneRoutes({ store, inbox, panes }: Deps, view: (ask: Ask) => AskView): PaneRoutes {
  /** The question that stands there now; the pane is looked at when nobody has told us of one. */
  async function askIn(session: string | undefined, pane: Pane | undefined): Promise<Ask> {
    const where = pane ?? (session === undefined ? undefined : (await store.session(session))?.pane);
    const open = await store.list({ states: ["open"], ...(session !== undefined && { session }), limit: 1000 });
    const known = open.find(
      ({ origin, kind }) =>
        kind === "question" &&
        (session !== undefined || (origin.pane?.id === pane?.id && origin.pane?.server === pane?.server)),
    );
    if (known) return known;
    const { ask, sees } = where ? await panes.look(where) : { sees: "no tmux pane of this session is known" };
    if (!ask) throw new ParleyError("not_found", `There is no question to answer: ${sees}`);
    return ask;
  }

  return {
    listPanes: async () => ({ panes: panes.list() }),
    watchPane: ({ body }) => panes.watch(body),
    unwatchPane: async ({ body }) => ({ watched: panes.unwatch(body) }),
    async answerPane({ body: { session, pane, actions } }) {
      if ((session === undefined) === (pane === undefined))
        throw new ParleyError("usage", "A session or a pane is needed, one of them");
      const ask = await askIn(session, pane);
      const settlement = readActions(ask.questions, actions);
      return view(await inbox.settle(ask.id, settlement, { type: "person", surface: "keys" }));
    },
  };
}
