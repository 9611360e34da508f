import { expect, test } from "bun:test";
import { eventually } from "../../../test/patience.ts";
import { codex } from "../../agents/codex/codex.ts";
import { ParleyError } from "../../core/error.ts";
import { createCallers } from "../../inbox/callers.ts";
import { createContext } from "../../inbox/context.ts";
import { createCorrections } from "../../inbox/corrections.ts";
import { createGrants } from "../../inbox/grant/grants.ts";
import { createIdleSessions } from "../../inbox/idle.ts";
import { createInbox } from "../../inbox/inbox.ts";
import { createReconciler } from "../../inbox/reconcile.ts";
import { openMemory } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";
import { createRemote } from "./remote.ts";
import { createRunTalks } from "./run-talks.ts";

const options = ["SQLite", "PostgreSQL"].map((label) => ({ label, description: label }));
const asks = (id: number) => ({
  message: {
    id,
    method: "item/tool/requestUserInput",
    params: {
      threadId: "thread-1",
      turnId: "turn-1",
      itemId: `call_${id}`,
      questions: [{ id: "q", header: "Store", question: `Which one for ${id}?`, options }],
    },
  },
});
const resolved = (requestId: number) => ({
  message: { method: "serverRequest/resolved", params: { threadId: "thread-1", requestId } },
});

/** A run of codex, on a disk that has room or has none. */
function openRun() {
  const kept = openMemory();
  const disk = { isFull: false, refused: 0 };
  const store: Store = {
    ...kept,
    append(change) {
      if (!disk.isFull) return kept.append(change);
      disk.refused++;
      throw new ParleyError("not_written", "There is no room left");
    },
  };
  const [now, log] = [Date.now, () => undefined];
  const inbox = createInbox({ store, now });
  const context = createContext({ store, inbox, now });
  const remote = createRemote({
    takeGrant: async () => undefined,
    corrections: createCorrections({ store, inbox, now, flag: "/dev/null" }),
    store,
    inbox,
    reconciler: createReconciler({ store, inbox, now, log }),
    callers: createCallers({ store, file: "/dev/null", home: "/nowhere" }),
    context,
    idle: createIdleSessions({ store, inbox, titles: context.titles, now, isWanted: () => false }),
    grants: createGrants({ store, now, log }),
    deliver: async () => undefined,
    now,
    log,
  });
  const talk = createRunTalks({ remote, log })({
    agent: codex,
    task: "t1",
    ready: async () => undefined,
    process: () => undefined,
    say: () => undefined,
  });
  const keys = async () =>
    (await kept.list({})).flatMap(({ deliveries }) => deliveries.map(({ key }) => key)).toSorted();
  return { disk, talk, keys };
}

test("[RX61] what an agent that is talked to asks on a full disk is asked as soon as there is room, unless it is over", async () => {
  const { disk, talk, keys } = openRun();
  disk.isFull = true;
  // Before anybody has looked, and so by the list of what is open.
  for (const event of [asks(1), asks(2)]) talk.heard(event);
  talk.caughtUp();
  await eventually(() => expect(disk.refused).toBeGreaterThan(0));
  // One after the other, as it is heard.
  for (const event of [resolved(2), asks(3), asks(4)]) talk.heard(event);
  const before = disk.refused;
  await eventually(() => expect(disk.refused).toBeGreaterThan(before));
  expect(await keys()).toEqual([]);
  disk.isFull = false;
  await eventually(async () => expect(await keys()).toEqual(["call_1", "call_3", "call_4"]));
});
