import { expect, test } from "bun:test";
import { answerByKeys, type KeysJob } from "../../src/keys/answer-by-keys.ts";
import type { RecordedPane } from "./recorded-pane.ts";
import { CLOSED, createRecordedPane } from "./recorded-pane.ts";
import { LAYOUTS, type Recording, recorded } from "./recordings.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";

const form = recorded("2.1.325/form-with-tabs");
const lone = recorded("2.1.325/lone-single-select-last");
const boxes = recorded("2.1.325/multi-select-with-own-words");

const run = (recording: Recording, pane: RecordedPane, more: Partial<KeysJob> = {}) => {
  const { questions, intent, layout } = recording.job;
  return answerByKeys({
    pane,
    layouts: LAYOUTS,
    version: layout.version,
    questions,
    intent,
    patienceMs: PATIENCE_MS,
    ...more,
  });
};
/** For what never comes. */
const SOON = { patienceMs: 1500 };
/** Shows `text` at the next look but `after`, whatever time passes between two looks. */
const atNextLook = (pane: RecordedPane, after: number, text: string | undefined) => {
  const { capture } = pane;
  let looks = 0;
  pane.capture = () => {
    if (looks++ === after) pane.show(text);
    return capture();
  };
};
const keysOf = ({ screens }: Recording) => [...screens.slice(1).map(({ after }) => after), "Enter"];

test("[KY6] one key at a time: between two keys the screen was looked at and showed the effect of the first", async () => {
  const pane = createRecordedPane(form);
  const keys = keysOf(form);
  expect(await run(form, pane)).toEqual({ type: "sent", keys: keys.length });
  expect(pane.pressed).toEqual(keys);
  expect(pane.log.some((entry, i) => entry !== "look" && pane.log[i + 1] !== "look")).toBe(false);
});

test("[KY7] a frame that is drawn by halves is waited for, never pressed on", async () => {
  const [before = "", after = ""] = lone.screens.map(({ text }) => text);
  const half = [...after.split("\n").slice(0, 14), ...before.split("\n").slice(14)].join("\n");
  const pane = createRecordedPane(lone, (nth, shown) => {
    if (nth !== 1) return;
    shown.show(half);
    atNextLook(shown, 1, undefined);
  });
  expect(await run(lone, pane)).toMatchObject({ type: "sent" });
  const stuck = createRecordedPane(lone, (_, shown) => shown.show(half));
  const stopped = await run(lone, stuck, SOON);
  expect([stopped.type, stuck.pressed]).toEqual(["stopped", ["Down"]]);
});

test("[KY8] a key without effect is not pressed again: it stops and says at what place", async () => {
  const [first] = form.screens;
  const pane = createRecordedPane(form, (_, shown) => shown.show(first?.text));
  expect(await run(form, pane, SOON)).toMatchObject({
    type: "stopped",
    keys: 1,
    where: "Question 1 of 2 (Database): Down had no effect within 1.5 s",
  });
  expect(pane.pressed).toEqual(["Down"]);
});

test("[KY9] a change that our key does not explain is a person's: it stops at once", async () => {
  const pane = createRecordedPane(lone, (_, shown) => shown.show(lone.screens[2]?.text));
  expect(await run(lone, pane)).toMatchObject({
    type: "stopped",
    keys: 1,
    where: expect.stringContaining("after Down the screen shows something that this key does not explain"),
  });
  const other = createRecordedPane(lone, (_, shown) => shown.show(form.screens[0]?.text));
  expect(await run(lone, other)).toMatchObject({ type: "stopped", keys: 1 });
  const closed = createRecordedPane(lone, (_, shown) => shown.show(CLOSED));
  expect(await run(lone, closed, SOON)).toMatchObject({ type: "stopped", keys: 1 });
});

test("[KY10] the intent is told before the first key, when the dialog is the right one; if that fails no key is sent", async () => {
  const pane = createRecordedPane(lone);
  const told: number[] = [];
  await run(lone, pane, { onIntent: () => void told.push(pane.pressed.length) });
  expect(told).toEqual([0]);
  const unkept = createRecordedPane(lone);
  const failing = run(lone, unkept, { onIntent: () => Promise.reject(new Error("the disk is full")) });
  expect(await failing.catch((error: Error) => error.message)).toBe("the disk is full");
  expect(unkept.pressed).toEqual([]);
  const other = createRecordedPane(form);
  expect(await run(lone, other, { onIntent: () => void told.push(99) })).toMatchObject({ type: "stopped", keys: 0 });
  expect(told).toEqual([0]);
});

test("[KY11] a dialog that somebody has begun to answer is left alone", async () => {
  const ticked = boxes.screens.find(({ after }) => after === "Space");
  const pane = createRecordedPane(boxes);
  pane.show(ticked?.text);
  expect(await run(boxes, pane)).toMatchObject({
    type: "stopped",
    keys: 0,
    where: expect.stringContaining("somebody has begun to answer"),
  });
});

test("[KY12] a screen that does not come to rest, or changes its size, gets no key", async () => {
  const restless = createRecordedPane(lone);
  const capture = restless.capture;
  let looks = 0;
  const moving = {
    ...restless,
    capture: async () => ({ ...(await capture()), text: `${looks++}\n${lone.screens[0]?.text}` }),
  };
  expect(await run(lone, moving, SOON)).toMatchObject({
    keys: 0,
    where: expect.stringContaining("keeps changing"),
  });
  const resized = createRecordedPane(lone);
  const first = resized.capture;
  const changing = {
    ...resized,
    capture: async () => ({ ...(await first()), width: 100 + (resized.log.length > 1 ? 1 : 0) }),
  };
  expect(await run(lone, changing)).toMatchObject({
    keys: 0,
    where: expect.stringContaining("the terminal was resized"),
  });
});

test("[KY28] whoever was not run for longer than it may take looks again before it says that nothing came", async () => {
  const late = createRecordedPane(lone);
  const { capture } = late;
  const slow = { ...late, capture: async () => (Bun.sleepSync(450), capture()) };
  const keys = keysOf(lone);
  expect(await run(lone, slow, { patienceMs: 300 })).toEqual({ type: "sent", keys: keys.length });
  expect(late.pressed).toEqual(keys);
});

test("[KY13] called off, it presses no further key", async () => {
  const calling = new AbortController();
  const pane = createRecordedPane(form, () => calling.abort());
  expect(await run(form, pane, { signal: calling.signal })).toMatchObject({
    type: "stopped",
    keys: 1,
    where: "It was cancelled",
  });
});

test("[KY26] before Enter the screen stands still for a moment: a person's key that was on its way ends it", async () => {
  const pane = createRecordedPane(lone, (nth, shown) => {
    if (nth === 2) atNextLook(shown, 1, lone.screens[1]?.text);
  });
  expect(await run(lone, pane)).toMatchObject({
    type: "stopped",
    keys: 2,
    where: "The question (Approach): the screen changed before Enter: is somebody else typing here?",
  });
  expect(pane.pressed).toEqual(["Down", "Down"]);
});
