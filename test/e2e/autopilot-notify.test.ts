import { expect, test } from "bun:test";
import type { AskEvent } from "../../src/core/ask/event.ts";
import { createReceiver, createStage } from "./notify-stage.ts";

const SECRET = "0123456789abcdef";
const state = (name: "asking" | "held" | "undone"): AskEvent => ({
  type: "ask.autopilot",
  state: name,
  why: "w",
  steps: [],
});

test("[AU31] nobody is woken for what the autopilot has in hand; once it is left to a person they are told", async () => {
  await using receiver = createReceiver();
  await using stage = createStage();
  stage.config(`[notify]\nafter_seconds = 5\n[notify.webhook]\nurl = "${receiver.url}/x"\nsecret = "${SECRET}"\n`);
  const ask = await stage.ask();
  const becomes = (name: "asking" | "held" | "undone") => stage.inbox.change(ask.id, () => [state(name)]);
  await becomes("asking");
  await stage.after(30);
  await becomes("held");
  await stage.after(10);
  expect(receiver.requests).toEqual([]);
  await becomes("undone");
  await stage.after(0);
  expect((await receiver.nth(1)).json).toMatchObject({ event: "asked", ask: { id: ask.id } });
});
