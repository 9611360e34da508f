import type { Agent, HookReading } from "../agents/agent.ts";
import { agentNamed } from "../agents/agents.ts";
import type { Channel } from "../channel/channel.ts";
import type { Holds } from "../channel/holds.ts";
import type { Ask } from "../core/ask.ts";
import type { HookAck, HookCall, HookRelease, HookReply } from "../protocol/hook.ts";
import { ACTIVE, type Store } from "../store/store.ts";
import { createCapture, leftBehind } from "./capture.ts";
import type { Deliver } from "./deliver.ts";
import type { Clock, Inbox } from "./inbox.ts";
import { originOf } from "./origin.ts";
import type { Reconciler } from "./reconcile.ts";
import { createSerial } from "./serial.ts";
import { noteSession } from "./session.ts";

type Deps = { store: Store; inbox: Inbox; holds: Holds; deliver: Deliver; reconciler: Reconciler; now: Clock };
type Asked = HookReading & { type: "asked" };
const NOTHING: HookReply = { handed: [] };
export type Hooks = ReturnType<typeof createHooks>;

/** What agents' hooks tell the daemon, and what they get back. */
export function createHooks({ store, inbox, holds, deliver, reconciler, now }: Deps) {
  const capture = createCapture({ store, inbox });
  const serial = createSerial();

  async function call(hook: HookCall, gone: AbortSignal): Promise<HookReply> {
    const agent = agentNamed(hook.agent);
    const reading = agent?.readHook(hook.payload);
    if (!agent || !reading) return NOTHING;
    await noteSession({ store, now }, agent, reading, hook.facts);
    switch (reading.type) {
      case "asked":
        return asked(agent, reading, hook, gone);
      case "result":
        return result(reading);
      case "turn-ended":
        await Promise.all((await activeOf(reading.session.id)).map(({ id }) => turnOver(id)));
        return NOTHING;
      case "session-ended":
        await Promise.all((await activeOf(reading.session.id)).map(({ id }) => reconciler.giveUp(id, "session-ended")));
        return NOTHING;
      case "session-started":
        return reading.resumed ? handOver(agent, reading) : NOTHING;
      case "noticed":
        return NOTHING;
    }
  }

  async function asked(agent: Agent, reading: Asked, hook: HookCall, gone: AbortSignal): Promise<HookReply> {
    const { ask, delivery } = await serial(reading.session.id, async () => {
      for (const left of await leftBehind(store, reading)) await reconciler.giveUp(left.id, "moved-on");
      return capture(reading, hook.call, () => originOf(agent, reading, hook.facts));
    });
    if (!hook.waits || !ACTIVE.includes(ask.state)) return NOTHING;
    const channel: Channel = reading.dialogOpen ? "race" : "hold";
    return wait(ask, delivery.key, channel, hook, gone);
  }

  async function wait(ask: Ask, key: string, channel: Channel, hook: HookCall, gone: AbortSignal): Promise<HookReply> {
    const { promise, resolve } = Promise.withResolvers<HookReply>();
    const hold = { call: hook.call, ask: ask.id, key, channel, payload: hook.payload, reply: resolve };
    holds.add(hold);
    gone.addEventListener("abort", () => resolve(NOTHING), { once: true });
    await inbox.change(ask.id, (current) => {
      const known = current.deliveries.find((d) => d.key === key);
      if (known?.hold === hook.call && known.released === undefined) return [];
      return [
        { type: "ask.held", key, hold: hook.call, channel, racing: channel === "race" || (known?.racing ?? false) },
      ];
    });
    void deliver(ask.id);
    const reply = await promise;
    if (gone.aborted) {
      holds.remove(hold);
      await release({ call: hook.call, reason: "hook-gone" }, hold);
    }
    return reply;
  }

  async function result(reading: HookReading & { type: "result" }): Promise<HookReply> {
    const { key, session, received } = reading;
    const { ask } = await serial(session.id, async () => {
      const recent = await store.list({ session: session.id, order: "newest", limit: 50 });
      return { ask: recent.find((found) => found.deliveries.some((d) => d.key === key)) };
    });
    // Not awaited: the agent waits for this hook, the receipt must not cost it time.
    if (ask) void reconciler.report(ask.id, key, received);
    else await Promise.all((await activeOf(session.id)).map(({ id }) => reconciler.reconcile(id)));
    return NOTHING;
  }

  /** The turn is over, so none of its questions can be open any more; the transcript says how each ended. */
  async function turnOver(id: string): Promise<void> {
    const ask = await reconciler.reconcile(id);
    if (!ask || !ACTIVE.includes(ask.state)) return;
    void reconciler.follow(id).then(() => reconciler.giveUp(id, "moved-on"));
  }

  async function handOver(agent: Agent, reading: HookReading): Promise<HookReply> {
    const active = await activeOf(reading.session.id);
    const asks = (await Promise.all(active.map(({ id }) => reconciler.reconcile(id)))).filter(
      (ask) => ask !== undefined,
    );
    for (const { id, outcome } of asks) if (!outcome) await reconciler.giveUp(id, "agent-exited");
    const kept = asks.filter((ask) => ask.outcome && ACTIVE.includes(ask.state));
    if (kept.length === 0) return NOTHING;
    const handed = kept.flatMap((ask) => ask.deliveries.map(({ key }) => ({ ask: ask.id, key, channel: "resume" })));
    return { output: agent.handOver(kept), handed };
  }

  async function release({ call: name, reason }: HookRelease, hold = holds.get(name)): Promise<void> {
    if (!hold) return;
    holds.remove(hold);
    hold.reply(NOTHING);
    await inbox.change(hold.ask, (ask) => {
      const mine = ask.deliveries.find((d) => d.hold === name && d.state === "waiting" && d.released === undefined);
      return mine ? [{ type: "ask.released", key: mine.key, hold: name, reason }] : [];
    });
    // The agent told it to end: Esc, or it is closing. Which of them, its transcript and its process say.
    if (reason !== "deadline") void reconciler.follow(hold.ask).then(() => reconciler.sweepOne(hold.ask));
  }

  const activeOf = (session: string) => store.list({ session, states: ACTIVE });

  return {
    call,
    release,
    async ack({ handed }: HookAck): Promise<void> {
      for (const { ask, key, channel } of handed) {
        await inbox.change(ask, (current) => {
          const open = current.deliveries.some((d) => d.key === key && (d.state === "waiting" || channel === "resume"));
          return open && ACTIVE.includes(current.state) ? [{ type: "ask.sent", key, channel }] : [];
        });
        void reconciler.follow(ask, 10_000);
      }
    },
  };
}
