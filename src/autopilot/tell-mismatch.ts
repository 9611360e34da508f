import { titleOf } from "../agents/agents.ts";
import { mismatchesOf } from "../brain/mismatch.ts";
import { tellOpenClaw } from "../brain/openclaw.ts";
import type { BrainDeps } from "../brain/think.ts";
import type { ConfigFiles } from "../machine/config-file.ts";
import type { Store } from "../store/store.ts";

type Deps = {
  store: Store;
  config: ConfigFiles;
  brains: Pick<BrainDeps, "env" | "sleep">;
  log: (message: string, fields: Record<string, unknown>) => void;
};

/**
 * A decider that goes on living hears at once that the agent received something else than it decided. The others, which
 * begin anew each time, hear of it with the next question of that session (`correction.ts`).
 */
export function createMismatchTeller({ store, config, brains, log }: Deps) {
  const ending = new AbortController();
  const unhook = store.onCommit((events) => {
    for (const { type, ask } of events)
      if (type === "ask.mismatched" && ask !== undefined)
        void tell(ask).catch((error: unknown) => log("a mismatch was not told", { ask, error: String(error) }));
  });

  async function tell(id: string): Promise<void> {
    const ask = await store.ask(id);
    const { type, name = "" } = ask?.outcome?.actor ?? {};
    if (!ask || type !== "brain") return;
    const { brains: known } = (await config.current(ask.origin.cwd)).values.autopilot;
    const brain = Object.hasOwn(known, name) ? known[name] : undefined;
    if (brain?.type !== "openclaw") return;
    const message = mismatchesOf(ask, titleOf(ask.origin.agent)).join("\n\n");
    await tellOpenClaw(brain, brains, { id: `parley-mismatch-${id}`, message }, ending.signal);
  }

  return {
    stop(): void {
      unhook();
      ending.abort();
    },
  };
}
