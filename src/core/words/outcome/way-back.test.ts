import { expect, test } from "bun:test";
import { create, happen, settled } from "../../../../test/contract/store-sample.ts";
import { openMemory } from "../../../store/memory.ts";
import type { Ask } from "../../ask/ask.ts";
import type { AskEvent } from "../../ask/event.ts";
import { wayBackOf, wayBackWords } from "./way-back.ts";

async function askWith(channel: string, more: AskEvent[] = []): Promise<Ask> {
  const store = openMemory();
  await create(store, { id: "a" });
  await happen(store, "a", more);
  const ask = await store.ask("a");
  if (!ask) throw new Error("gone");
  return { ...ask, deliveries: ask.deliveries.map((delivery) => ({ ...delivery, channel })) };
}

const way = async (channel: string, reachable: boolean, more: AskEvent[] = []) =>
  wayBackOf({ ...(await askWith(channel, more)), reachable });

test("[WY1] how an answer reaches its agent is said by who waits for it now", async () => {
  const now = await Promise.all(["race", "hold", "remote", "keys", "none"].map((channel) => way(channel, true)));
  expect(now).toEqual(["at once", "at once", "at once", "typed", "seen"]);
  const later = await Promise.all(["race", "hold", "remote", "keys", "none"].map((channel) => way(channel, false)));
  expect(later).toEqual(["kept", "kept", "kept", "typed", "seen"]);
});

test("[WY2] nothing is said of what a script or Parley itself waits for, nor of what is settled", async () => {
  expect(await Promise.all(["fetch", "self"].map((channel) => way(channel, true)))).toEqual([undefined, undefined]);
  expect(await way("race", true, [settled(1)])).toBeUndefined();
});

test("[WY3] keys that were begun are not promised again", async () => {
  expect(await way("keys", false, [{ type: "ask.typing", key: "k1", pane: "%1" }])).toBe("kept");
});

test("[WY4] in words", async () => {
  expect(wayBackWords({ ...(await askWith("keys")), reachable: false })).toBe("types it for you");
  expect(wayBackWords({ ...(await askWith("none")), reachable: false })).toBe("only seen: answer in its terminal");
});
