import { expect, test } from "bun:test";
import { database, PERSON } from "../../test/sample.ts";
import { openMemory } from "../store/memory.ts";
import { createInbox } from "./inbox.ts";

test("[P56] an asker that goes away while its answer is being written has taken nothing: the answer stays for the next", async () => {
  const memory = openMemory();
  const [writing, disk] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSlow = false;
  const store = {
    ...memory,
    append: async (change: Parameters<typeof memory.append>[0]) => {
      if (!isSlow) return memory.append(change);
      writing.resolve();
      await disk.promise;
      return memory.append(change);
    },
  };
  const inbox = createInbox({ store, now: () => 1000 });
  const origin = { agent: "script" };
  const { id } = await inbox.create({
    kind: "question",
    questions: [database],
    origin,
    key: "fetch",
    channel: "fetch",
  });
  const gone = new AbortController();
  const received = inbox.receive(id, 60_000, gone.signal);
  expect(inbox.askers.areWaiting(id)).toBe(true);
  isSlow = true;
  const settling = inbox.settle(id, { action: "answer", answers: [{ picks: [0] }] }, PERSON);
  await writing.promise;
  gone.abort();
  expect(await received).toBeUndefined();
  [isSlow] = [false, disk.resolve()];
  expect((await settling).state).toBe("settled");
  const next = await inbox.receive(id, 0, new AbortController().signal);
  expect(next).toMatchObject({ state: "verified", outcome: { type: "answered" } });
});
