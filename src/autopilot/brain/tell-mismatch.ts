import { titleOf } from "../../agents/agents.ts";
import type { BrainDeps } from "../../brain/think.ts";
import type { Ask } from "../../core/ask/ask.ts";
import { mismatchesOf } from "../../core/receipt/mismatch.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { ConfigFiles } from "../../machine/settings/config-file.ts";
import type { Store } from "../../store/store.ts";

type Deps = {
  store: Store;
  inbox: Pick<Inbox, "change">;
  config: ConfigFiles;
  brains: BrainDeps;
  now: () => number;
  log: (message: string, fields: Record<string, unknown>) => void;
};

/** After a day nobody goes on with what was decided then. */
const WORTH_MS = 86_400_000;
const MOST = 200;
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 600_000;

/**
 * A brain hears at once, in the conversation in which it decided, that the agent received something else. It is tried
 * again until it worked, also by the next daemon: that it worked is an event of the Ask.
 */
export function createMismatchTeller({ store, inbox, config, brains, now, log }: Deps) {
  const ending = new AbortController();
  /** When to try again, and how long to wait after that. */
  const waiting = new Map<string, { at: number; pause: number }>();
  const underway = new Set<string>();
  const unhook = store.onCommit((events) => {
    for (const { type, ask } of events) if (type === "ask.mismatched" && ask !== undefined) void attempt(ask);
  });

  async function attempt(id: string): Promise<void> {
    if (underway.has(id) || ending.signal.aborted) return;
    underway.add(id);
    try {
      await tell(id);
      waiting.delete(id);
    } catch (error) {
      const { pause } = waiting.get(id) ?? { pause: FIRST_PAUSE_MS };
      waiting.set(id, { at: now() + pause, pause: Math.min(pause * 2, LONGEST_PAUSE_MS) });
      if (!ending.signal.aborted) log("a mismatch was not told yet", { ask: id, error: String(error) });
    } finally {
      underway.delete(id);
    }
  }

  async function tell(id: string): Promise<void> {
    const ask = await store.ask(id);
    if (!ask || !isUntold(ask)) return;
    const { name = "" } = ask.outcome?.actor ?? {};
    const { brains: known } = (await config.current(ask.origin.cwd)).values.autopilot;
    const brain = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!brain) throw new Error(`there is no [autopilot.brains.${name}]`);
    const text = mismatchesOf(ask, titleOf(ask.origin.agent)).join("\n\n");
    const { tellBrain } = await import("../../brain/tell-brain.ts");
    await tellBrain(brain, brains, { ask, text }, ending.signal);
    await inbox.change(id, (current) => (current.told ? [] : [{ type: "ask.told", to: `brain ${name}` }]));
  }

  function isUntold({ state, outcome, told, updatedAt }: Ask): boolean {
    const { type, name } = outcome?.actor ?? {};
    return state === "mismatched" && !told && type === "brain" && name !== undefined && now() - updatedAt < WORTH_MS;
  }

  return {
    /** What an earlier daemon could not tell. */
    async start(): Promise<void> {
      const found = await store.list({ states: ["mismatched"], order: "newest", limit: MOST });
      await Promise.all(found.filter(isUntold).map(({ id }) => attempt(id)));
    },
    /** To be called now and then. */
    tick(): void {
      for (const [id, { at }] of waiting) if (at <= now()) void attempt(id);
    },
    stop(): void {
      unhook();
      ending.abort();
    },
  };
}
