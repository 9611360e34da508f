import { expect, test } from "bun:test";
import { create } from "../../test/contract/store-sample.ts";
import { decisionToSend } from "../core/receipt/send.ts";
import { openMemory } from "../store/memory.ts";
import { createDenials } from "./denials.ts";
import { createInbox } from "./inbox.ts";

test("[GR25] a permission that nobody decides is denied after the time that was set, with a sentence; nothing else is, and nothing is ever allowed", async () => {
  const store = openMemory();
  const clock = { now: 1000 };
  const limits = { approval: 0, plan: 0 };
  const inbox = createInbox({ store, now: () => clock.now });
  const { sweep } = createDenials({ store, inbox, now: () => clock.now, after: () => limits });
  for (const [id, kind] of [
    ["a", "approval"],
    ["p", "plan"],
    ["q", "question"],
    ["s", "approval"],
  ] as const)
    // prettier-ignore
    await create(store, { id, kind });
  await inbox.change("s", () => [{ type: "ask.snoozed", until: 9_000_000, actor: { type: "person", surface: "cli" } }]);
  clock.now = 700_000;
  await sweep();
  expect((await store.list({ states: ["open"] })).length).toBe(4);
  limits.approval = 600_000;
  await sweep();
  expect((await store.list({ states: ["open"] })).map(({ id }) => id)).toEqual(["p", "q", "s"]);
  const denied = await store.ask("a");
  expect(denied?.outcome).toMatchObject({ type: "declined", actor: { type: "system", surface: "timeout" } });
  if (!denied?.outcome) throw new Error("not denied");
  const message = "Nobody decided within 10 min, so this is denied.";
  expect(decisionToSend(denied, denied.outcome)).toEqual({ allow: false, message, interrupt: false });
  await store.close();
});
