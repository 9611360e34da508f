import { channelContract, type ChannelStage } from "../../test/contract/channel.ts";
import { create, happen, settled } from "../../test/contract/store-sample.ts";
import { createCallers } from "../inbox/callers.ts";
import { createContext } from "../inbox/context.ts";
import { createCorrections } from "../inbox/corrections.ts";
import { createGrants } from "../inbox/grant/grants.ts";
import { createIdleSessions } from "../inbox/idle.ts";
import { createInbox } from "../inbox/inbox.ts";
import { createReconciler } from "../inbox/reconcile.ts";
import { openMemory } from "../store/memory.ts";
import { createHolds } from "./holds.ts";
import { createHookChannel } from "./hook-channel.ts";
import { createRemote } from "./remote/remote.ts";

const log = () => undefined;

channelContract("hook", async (): Promise<ChannelStage> => {
  const store = openMemory();
  const holds = createHolds();
  let handed = 0;
  await create(store, { id: "a1" });
  const hold = {
    call: "c1",
    ask: "a1",
    key: "k1",
    channel: "race",
    payload: "{}",
    version: undefined,
    reply: ({ handed: what }: { handed: unknown[] }) => void (handed += what.length),
  };
  holds.add(hold);
  // The agent of this sample has no hooks: what it would print does not matter here.
  const channel = createHookChannel({ store, holds, outputFor: async () => ({}) });
  return {
    channel,
    ask: async () => (await store.ask("a1")) ?? Promise.reject(new Error("gone")),
    settle: () => happen(store, "a1", [settled(1000)]).then(() => undefined),
    leave: async () => holds.remove(hold),
    handed: () => handed,
    close: () => store.close(),
  };
});

channelContract("remote", async (): Promise<ChannelStage> => {
  const store = openMemory();
  const now = Date.now;
  const inbox = createInbox({ store, now });
  const reconciler = createReconciler({ store, inbox, now, log });
  const context = createContext({ store, inbox, now });
  const callers = createCallers({ store, file: "/dev/null", home: "/nowhere" });
  const remote = createRemote({
    takeGrant: async () => undefined,
    corrections: createCorrections({ store, inbox, now, flag: "/dev/null" }),
    store,
    inbox,
    reconciler,
    callers,
    context,
    idle: createIdleSessions({ store, inbox, titles: context.titles, now, isWanted: () => false }),
    grants: createGrants({ store, now, log }),
    deliver: async () => undefined,
    now,
    log,
  });
  let handed = 0;
  const link = await remote.open({ agent: "opencode", facts: {} }, ({ id, method }) => {
    if (method === "POST") handed++;
    const body = method === "GET" ? [] : true;
    setTimeout(() => remote.isKnown(link.id) && remote.replies(link.id, { replies: [{ id, status: 200, body }] }), 0);
    return true;
  });
  const question = {
    question: "Which?",
    header: "",
    options: [
      { label: "A", description: "" },
      { label: "B", description: "" },
    ],
  };
  const properties = { id: "que_1", sessionID: "ses_1", questions: [question], tool: { messageID: "m", callID: "c" } };
  await remote.events(link.id, { events: [{ event: { type: "question.asked", properties } }] });
  const ask = async () => {
    const [only] = await store.list({});
    return only ?? Promise.reject(new Error("nothing was asked"));
  };
  return {
    channel: remote.channel,
    ask,
    async settle() {
      const actor = { type: "person", surface: "cli" } as const;
      await inbox.settle((await ask()).id, { action: "answer", answers: [{ picks: [1] }] }, actor);
    },
    leave: () => remote.close(link.id),
    handed: () => handed,
    // What is still followed reads it once more.
    close: () => remote.close(link.id),
  };
});
