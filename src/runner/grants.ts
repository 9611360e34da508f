import type { Ask } from "../core/ask/ask.ts";
import { decisionToSend } from "../core/receipt/send.ts";
import type { Store } from "../store/store.ts";
import type { Tasks } from "./tasks.ts";

/** Calls that a person allowed while no agent ran: each may be made once, by the run that was told so. */
export function createGrants({ store, tasks }: { store: Store; tasks: Tasks }) {
  return {
    /** The Ask that allows this call; it is used up then, for all but the hook that came for it. */
    async take(id: string, isIt: (ask: Ask) => boolean, call: string): Promise<Ask | undefined> {
      const task = await store.task(id);
      const told = task?.start?.how === "message" ? (task.start.asks ?? []) : [];
      for (const name of told) {
        const ask = await store.ask(name);
        if (!ask?.outcome || !isIt(ask) || !decisionToSend(ask, ask.outcome).allow) continue;
        let isMine = false;
        await tasks.change(id, ({ run, used }) => {
          const before = used?.find(({ ask: one }) => one === name);
          isMine = run === task?.run && (before === undefined || before.call === call);
          return isMine && !before ? [{ type: "task.used", ask: name, call }] : [];
        });
        if (isMine) return ask;
      }
      return undefined;
    },
  };
}
