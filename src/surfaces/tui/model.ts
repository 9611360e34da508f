import type { GrantOffer, GrantView } from "../../protocol/grant.ts";
import type { TaskView } from "../../protocol/task.ts";
import type { HubMember } from "../../protocol/hub/hub.ts";
import type { AskView, SessionView } from "../../protocol/view.ts";
import { isSnoozed } from "../../core/ask/ask-state.ts";
import { type AskList, createAskList } from "./ask-list.ts";
import { createCursor, type Cursor } from "./cursor.ts";
import { listedFor } from "./hub/hub-ask.ts";

export const TABS = ["waiting", "settled", "sessions", "tasks", "grants"] as const;
export type Tab = (typeof TABS)[number];

/** The line above the keys. `follow` tells live what becomes of Asks that were settled here, `late` who was first. */
export type StatusLine =
  | { type: "words"; words: string; tone: "text" | "ok" | "error" }
  | { type: "follow"; ids: readonly string[]; also?: string }
  | { type: "late"; id: string };

export type Model = ReturnType<typeof createModel>;

type Deps = { now: () => number; awake?: () => number; hub?: HubMember };

/** What the inbox knows and where the person is in it; drawing only reads it. */
export function createModel({ now, awake = now, hub }: Deps) {
  const asks: AskList = createAskList({ now, ...(hub && listedFor(hub.id, now)) });
  const cursors: Record<Tab, Cursor> = {
    waiting: createCursor({ now: awake }),
    settled: createCursor({ now: awake }),
    sessions: createCursor({ now: awake }),
    tasks: createCursor({ now: awake }),
    grants: createCursor({ now: awake }),
  };
  const model = {
    asks,
    /** Who looks into a hub with it; undefined: it is the inbox of this machine. */
    hub,
    sessions: [] as readonly SessionView[],
    /** In the order of the list. */
    tasks: [] as readonly TaskView[],
    grants: [] as readonly GrantView[],
    /** What may be granted, of those that were selected; undefined: it is being asked for. */
    offers: new Map<string, GrantOffer | undefined>(),
    tab: "waiting" as Tab,
    filter: "",
    marked: new Set<string>(),
    /** The first row that is drawn, for each tab. */
    first: { waiting: 0, settled: 0, sessions: 0, tasks: 0, grants: 0 } as Record<Tab, number>,
    detailTop: 0,
    /** Which lines of the detail are options that can be chosen, and by which number. */
    optionLines: new Map<number, number>() as ReadonlyMap<number, number>,
    /** Where there is no room for both, the detail takes the place of the list. */
    readsDetail: false,
    said: undefined as StatusLine | undefined,
    away: undefined as string | undefined,
    /** What is wrong in the person's settings. */
    mistakes: [] as readonly string[],
    isComplete: false,
    now,
    /** Of which keys typed ahead are kept from settling anything. */
    awake,
    /** Who gives no work to agents, and no leave in advance, has no use for these tabs. A hub has none of a machine's. */
    tabs: (): readonly Tab[] =>
      model.hub
        ? TABS.slice(0, 2)
        : TABS.filter((tab) => (tab !== "tasks" && tab !== "grants") || tab === model.tab || model[tab].length > 0),
    rowsOf(tab: Tab): readonly { id: string }[] {
      if (tab === "sessions") return model.sessions;
      if (tab === "tasks" || tab === "grants") return model[tab];
      return tab === "waiting" ? asks.waiting(model.filter) : asks.settled(model.filter);
    },
    /** How many wait now: what is snoozed stands at the end of the list, and waits for nobody. */
    countNow(): number {
      const waiting = asks.waiting(model.filter);
      return model.hub ? waiting.length : waiting.findLastIndex((ask) => !isSnoozed(ask, now())) + 1;
    },
    /** The cursor of the open tab, on the list as it is now. */
    cursor(): Cursor {
      const cursor = cursors[model.tab];
      cursor.follow(model.rowsOf(model.tab));
      return cursor;
    },
    /** What was selected when the list was last looked at: news come faster than lists are made. */
    lastSelected: () => cursors[model.tab].id,
    ask(): AskView | undefined {
      const { id } = model.cursor();
      return id !== undefined && (model.tab === "waiting" || model.tab === "settled") ? asks.get(id) : undefined;
    },
    session(): SessionView | undefined {
      return model.tab === "sessions" ? model.sessions[model.cursor().index] : undefined;
    },
    task(): TaskView | undefined {
      return model.tab === "tasks" ? model.tasks[model.cursor().index] : undefined;
    },
    grant(): GrantView | undefined {
      return model.tab === "grants" ? model.grants[model.cursor().index] : undefined;
    },
    /** Those marked that still wait, in the order of the list. */
    markedAsks: () => asks.waiting("").filter(({ id }) => model.marked.has(id)),
    say(words: string, tone: "text" | "ok" | "error" = "text"): void {
      model.said = { type: "words", words, tone };
    },
  };
  return model;
}
