import { rmSync, writeFileSync } from "node:fs";
import type { Agent } from "../agents/agent.ts";
import { type Ask, isUnnamed } from "../core/ask/ask.ts";
import { changedWords } from "../core/ask/edit.ts";
import { DONE } from "../core/ask/ask-state.ts";
import type { LogEvent } from "../core/ask/event.ts";
import { judge } from "../core/receipt/judge.ts";
import type { Clock, Inbox } from "../inbox/inbox.ts";
import type { Log } from "../machine/log.ts";
import type { HookCall, HookReply } from "../protocol/hook.ts";
import { eachAsk } from "../store/each-ask.ts";
import { ACTIVE, type Store } from "../store/store.ts";

type Deps = { store: Store; inbox: Inbox; now: Clock; log: Log; flag: string };
export type ChangedCalls = ReturnType<typeof createChangedCalls>;
const NOTHING: HookReply = { handed: [] };

/** Calls that a person changed: while one is on its way, a hook after each call tells what ran, and the agent is told. */
export function createChangedCalls({ store, inbox, now, log, flag }: Deps) {
  const underway = new Set<string>();

  function show(): void {
    try {
      if (underway.size > 0) writeFileSync(flag, "", { mode: 0o600 });
      else rmSync(flag, { force: true });
    } catch (error) {
      log("error", "what a changed call did may stay unknown", { error: String(error) });
    }
  }

  // In the same step as it is settled: the agent may run it at once.
  const leave = store.onCommit((events) => {
    const before = underway.size;
    for (const event of events) if (event.ask !== undefined && isChange(event)) underway.add(event.ask);
    if (underway.size !== before) show();
    const ended = events.flatMap(({ ask, type }) =>
      ask !== undefined && underway.has(ask) && ENDS.has(type) ? [ask] : [],
    );
    for (const id of ended)
      void store.ask(id).then((ask) => {
        if (ask && !DONE.includes(ask.state)) return;
        underway.delete(id);
        if (underway.size === 0) show();
      });
  });

  return {
    leave,
    /** Those of a daemon before this one. */
    async start(): Promise<void> {
      for await (const { id, outcome } of eachAsk(store, ACTIVE)) if (outcome?.changed) underway.add(id);
      show();
    },
    /** Contract: the agent is told only of what its own hook says that it ran. */
    async ran(agent: Agent, { payload }: HookCall): Promise<HookReply> {
      const ran = agent.hooks?.ran?.(payload);
      if (!ran) return NOTHING;
      const active = await store.list({ session: ran.session, states: ACTIVE });
      const isIts = (ask: Ask) => ask.deliveries.some((delivery) => delivery.key === ran.key || isUnnamed(delivery));
      const mine = active.filter((ask) => ask.outcome?.changed && isIts(ask));
      const told = mine.find(({ outcome }) => outcome?.changed?.text === ran.text);
      if (told?.outcome?.changed) return { output: ran.tell(changedWords(told, told.outcome.changed)), handed: [] };
      // It ran as it was asked: somebody at its terminal was first.
      const first = mine.find(({ editable }) => editable?.text === ran.text);
      if (first)
        await inbox.change(first.id, (ask) =>
          ask.deliveries.flatMap((delivery) => {
            const received = { type: "ran", text: "", isError: false, decidedBy: "person" } as const;
            const event = judge(ask, delivery, received, now());
            return event ? [event] : [];
          }),
        );
      return NOTHING;
    },
  };
}

const ENDS = new Set(["ask.verified", "ask.mismatched", "ask.ended", "ask.closed"]);
const isChange = ({ type, data }: LogEvent) =>
  type === "ask.settled" && (data["outcome"] as { changed?: unknown } | undefined)?.changed !== undefined;
