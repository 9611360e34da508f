import { expect, test } from "bun:test";
import { askOf } from "../../../../test/sample.ts";
import { ParleyError } from "../../../core/error.ts";
import type { AskView } from "../../../protocol/view.ts";
import { createHubDrafts } from "../hub/hub-drafts.ts";
import { createModel } from "../model.ts";
import { createSettling } from "./settling.ts";

const view = (id: string): AskView => ({
  ...askOf({ id }),
  agentTitle: "a script",
  sentence: "",
  reachable: true,
});
const YES = { action: "answer" as const, answers: [{ picks: [0] }] };

function openDesk() {
  const model = createModel({ now: () => 0, awake: () => 0 });
  const sending = new Map<string, PromiseWithResolvers<AskView>>();
  const desk = createSettling({
    model,
    drafts: createHubDrafts(),
    repaint: () => undefined,
    send({ id }) {
      const one = Promise.withResolvers<AskView>();
      sending.set(id, one);
      return one.promise;
    },
    late: async () => undefined,
  });
  return { desk, sending };
}

test("[HI16] what is being sent when the person leaves is waited for, and what was refused is said", async () => {
  const { desk, sending } = openDesk();
  expect(await desk.leave(60_000)).toEqual([]);
  void desk.settle(view("one"), YES);
  void desk.settle(view("two"), YES);
  expect([desk.isUnderway("one"), desk.isUnderway("three")]).toEqual([true, false]);
  const left = desk.leave(60_000);
  sending.get("one")?.resolve(view("one"));
  sending.get("two")?.reject(new ParleyError("hub_away", "the hub is away"));
  expect(await left).toEqual([expect.stringContaining("the hub is away")]);
  expect(desk.isUnderway("one")).toBe(false);
});

test("[HI16] of what nobody has answered for by then it is said that nothing is known", async () => {
  const { desk } = openDesk();
  void desk.settle(view("one"), YES);
  expect(await desk.leave(1)).toEqual([expect.stringContaining("nobody has said yet that it was received")]);
});
