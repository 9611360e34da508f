import { expect, test } from "bun:test";
import { createSerial } from "../machine/time/serial.ts";
import { eventually } from "../../test/patience.ts";
import { createRecordAsks } from "./record-asks.ts";

test("[SU4] what an agent's record says late is asked once, and nothing else of its session waits for it", async () => {
  const serial = createSerial();
  const taken: string[] = [];
  let written: { key: string; questions: never[] }[] = [];
  const asks = createRecordAsks({
    store: { list: async () => taken.map((key) => ({ deliveries: [{ key }] })) },
    context: { titles: { known: async () => ({}) }, addTo: async () => undefined },
    capture: async ({ key }: { key: string }) => (taken.push(key), { ask: { id: key } }),
    serial,
    log: (...said: unknown[]) => taken.push(String(said)),
  } as never);
  const record = { refresh: async () => undefined, unanswered: () => written };
  const agent = { record: { open: () => record } } as never;
  const look = (call: string) =>
    asks.look(agent, { type: "asks", session: { id: "s", transcript: "/t" } } as never, { call, facts: {} } as never);
  expect([look("one"), look("two")]).toEqual([{ handed: [] }, { handed: [] }]);
  // As a result of the same session does.
  for (let i = 0; i < 5; i++) await serial("s", async () => Bun.sleep(20));
  expect(taken).toEqual([]);
  written = [{ key: "late", questions: [] }];
  await eventually(() => expect(taken).toEqual(["late"]));
  look("three");
  await serial("s", async () => undefined);
  written = [...written, { key: "later", questions: [] }];
  await eventually(() => expect(taken).toEqual(["late", "later"]));
});
