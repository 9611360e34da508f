import { expect, test } from "bun:test";
import { eventually } from "../../../test/patience.ts";
import { createCallers } from "../../inbox/callers.ts";
import { createContext } from "../../inbox/context.ts";
import { createCorrections } from "../../inbox/corrections.ts";
import { createGrants } from "../../inbox/grant/grants.ts";
import { createIdleSessions } from "../../inbox/idle.ts";
import { createInbox } from "../../inbox/inbox.ts";
import { createReconciler } from "../../inbox/reconcile.ts";
import type { Log } from "../../machine/log.ts";
import { openMemory } from "../../store/memory.ts";
import { createRemote } from "./remote.ts";
import type { Send } from "./links.ts";

const question = { question: "Which?", header: "", options: [{ label: "A", description: "" }] };
const asked = (id: string) => ({
  type: "question.asked",
  properties: { id, sessionID: `ses_${id}`, questions: [question], tool: { messageID: id, callID: "c" } },
});

test("[RM1] a second connection of a process ends nothing that the first one has open, whatever its list says", async () => {
  const [store, now] = [openMemory(), Date.now];
  let known = 0;
  const log: Log = (_, said) => {
    if (said === "what an agent has open is known") known++;
  };
  const inbox = createInbox({ store, now });
  const given: string[] = [];
  const reconciler = {
    ...createReconciler({ store, inbox, now, log }),
    follow: async () => undefined,
    giveUp: async (id: string) => void given.push(id),
  };
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
  const pid = process.pid;
  const connect = async (directory: string) => {
    const send: Send = ({ id }) => {
      setTimeout(() => remote.replies(link.id, { replies: [{ id, status: 200, body: [] }] }), 0);
      return true;
    };
    const link = await remote.open({ agent: "opencode", pid, directory, facts: {} }, send);
    return link;
  };
  const first = await connect("/a");
  await remote.events(first.id, { events: [{ event: asked("que_1") }] });
  const [ask] = await store.list({});
  // The same process, in the same folder and in another one: neither lists it.
  for (const folder of ["/a", "/b"]) await connect(folder);
  await eventually(() => expect(known).toBe(3));
  expect(given).toEqual([]);
  // Once nobody has its dialog any more, a list without it is the end of it.
  await remote.close(first.id);
  await connect("/b");
  await eventually(() => expect(known).toBe(4));
  expect(given).toEqual([]);
  await connect("/a");
  await eventually(() => expect(given).toEqual([ask?.id ?? ""]));
});
