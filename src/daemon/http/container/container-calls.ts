import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Origin } from "../../../core/ask/ask.ts";
import type { LogEvent } from "../../../core/ask/event.ts";
import { containerFolder } from "../../../machine/process/containers.ts";
import { changedFlag } from "../../../machine/home.ts";
import type { Log } from "../../../machine/log.ts";
import { eachAsk } from "../../../store/each-ask.ts";
import { ACTIVE, type Store } from "../../../store/store.ts";

type Deps = { store: Store; home: string; log: Log };
type Call = { container: string; session: string | undefined };
const ENDS = new Set(["ask.verified", "ask.mismatched", "ask.ended", "ask.closed"]);

/**
 * Calls that a container waits for leave to make: while there is one, the hook after each call in there tells what ran.
 * It is the receipt where its record is not seen here, and else costs nothing.
 */
export function watchContainerCalls({ store, home, log }: Deps) {
  const underway = new Map<string, Call>();

  function show(container: string): void {
    const flag = changedFlag(join(containerFolder(home, container), "bin", "parley"));
    try {
      if ([...underway.values()].some((call) => call.container === container)) writeFileSync(flag, "", { mode: 0o600 });
      else rmSync(flag, { force: true });
    } catch (error) {
      log("warn", "what a call in a container did may stay unknown", { container, error: String(error) });
    }
  }

  function begin(id: string, kind: unknown, { container, session }: Partial<Origin>): void {
    if (container === undefined || kind !== "approval") return;
    underway.set(id, { container, session });
    show(container);
  }

  function end(id: string): void {
    const call = underway.get(id);
    if (call && underway.delete(id)) show(call.container);
  }

  // In the same step as it is asked: the agent may run it at once.
  store.onCommit((events: readonly LogEvent[]) => {
    for (const { type, ask, session, data } of events) {
      if (type === "ask.captured" && ask !== undefined) begin(ask, data["kind"], data["origin"] ?? {});
      if (ask !== undefined && ENDS.has(type)) end(ask);
      // What was denied never runs: with its turn it is over.
      if (type === "session.idle" || type === "session.ended")
        for (const [id, call] of underway) if (call.session === session) end(id);
    }
  });

  return {
    /** Those of a daemon before this one. */
    async start(): Promise<void> {
      for await (const { id, kind, origin } of eachAsk(store, ACTIVE)) begin(id, kind, origin);
    },
  };
}
