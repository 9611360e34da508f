import type { Registration } from "../../machine/home.ts";
import { AGENTS } from "../../agents/agents.ts";
import type { Grant } from "../../core/grant/grant.ts";
import { createDeliver } from "../../delivery/deliver.ts";
import { createHolds } from "../../delivery/holds.ts";
import { createHookChannel } from "../../delivery/hook-channel.ts";
import { createHooks } from "../../delivery/hooks.ts";
import { createContext } from "../../inbox/context.ts";
import { createGrants, giveForRehearsal } from "../../inbox/grant/grants.ts";
import { createIdleSessions } from "../../inbox/idle.ts";
import { createInbox } from "../../inbox/inbox.ts";
import { createReconciler } from "../../inbox/reconcile.ts";
import { whole } from "../../machine/time/later.ts";
import { ADDRESSES } from "../../protocol/address.ts";
import type { Engine } from "../../store/engine.ts";
import type { Store } from "../../store/store.ts";

type House = { engine: Engine } & Pick<Registration, "socket" | "tokens">;
type Deps = Parameters<typeof createHooks>[0];
/** The first time it is read, the second time it is quick, and the rest is a little more of that. */
const ROUNDS = 4;
const COMMAND = "true";

/**
 * Plays a granted call to a store of its own, so that the first real one after a start finds everything read that decides on
 * it. Contract: never throws; nothing of it is kept, seen or told; nobody waits for it.
 */
export async function rehearse(real: Deps, house: House): Promise<void> {
  try {
    const [grant] = await real.grants.ready();
    if (grant) await play(real, house, grant);
  } catch (error) {
    real.log("warn", "nothing was rehearsed", { error: String(error) });
  }
}

async function play(real: Deps, { engine, socket, tokens }: House, grant: Grant): Promise<void> {
  const store = engine.openStore(":memory:");
  try {
    const { hooks, gone } = await onStage(real, store, grant);
    const knock = (payload: object) =>
      fetch(`http://localhost${ADDRESSES.hookCall.path}`, {
        unix: socket,
        method: ADDRESSES.hookCall.method,
        headers: { authorization: `Bearer ${tokens.agent}`, "content-type": "application/json" },
        // No agent is called so: it comes through the door, and nothing follows from it.
        body: JSON.stringify({ agent: "", call: "", waits: true, payload, facts: {} }),
      }).then((response) => response.text());
    for (const { name, hooks: { rehearsal } = {} } of AGENTS)
      for (let round = 0; rehearsal && round < ROUNDS; round++) {
        // What really is asked comes first.
        await Bun.sleep(0);
        const call = crypto.randomUUID();
        const payload = rehearsal(crypto.randomUUID(), grant.folder, COMMAND);
        await knock(payload);
        await whole(hooks.call({ agent: name, call, calledAt: real.now(), waits: true, payload, facts: {} }, gone));
        // The statements of the store that will be asked are its own.
        await Promise.all([real.store.session(call), real.store.list({ session: call, order: "newest", limit: 1 })]);
      }
    real.log("debug", "rehearsed", { rounds: ROUNDS });
  } finally {
    await store.close();
  }
}

async function onStage(real: Deps, store: Store, { folder }: Grant) {
  const { now } = real;
  const log = () => undefined;
  const inbox = createInbox({ store, now });
  const holds = createHolds();
  const reconciler = createReconciler({ store, inbox, now, log });
  const context = createContext({ store, inbox, now });
  const idle = createIdleSessions({ store, inbox, titles: context.titles, now, isWanted: () => false });
  const grants = createGrants({ store, now, log, mustAsk: real.mustAsk });
  const deliver = createDeliver({ store, channels: [createHookChannel({ store, holds, reveal: inbox.reveal })] });
  const tasks = { startedFor: async () => false, takeGrant: async () => undefined, wentOn: async () => undefined };
  await giveForRehearsal(store, { command: COMMAND, folder, calls: ROUNDS * AGENTS.length, at: now() });
  return {
    hooks: createHooks({ ...real, store, inbox, holds, reconciler, context, idle, grants, deliver, tasks, log }),
    // Where somebody must be asked after all, nobody is.
    gone: AbortSignal.abort(),
  };
}
