import { describe, expect, test } from "bun:test";
import type { Answer } from "../../src/core/ask/answer/answer.ts";
import type { DialogEnd } from "../../src/dialog/dialog.ts";
import { FEATURES, KEY, mount, STORE } from "./dialog-headless.ts";

const submitted = (...answers: Answer[]): DialogEnd[] => [{ type: "submitted", answers }];

describe("digits", () => {
  test("[VB4] choose a row of a single-select, and Enter sends it", async () => {
    const dialog = mount([STORE]);
    dialog.press("2");
    expect(await dialog.screen()).toContain("❯ (•) 2. Postgres");
    expect(dialog.ends).toEqual([]);
    dialog.press("1", KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [0] }));
  });

  test("[VB4] tick and untick a multi-select, one key held down only once", async () => {
    const dialog = mount([FEATURES]);
    dialog.press("1");
    dialog.wait(1000);
    dialog.press("3", "\x1b[51;1:2u");
    dialog.wait(1000);
    dialog.press("1", KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [2] }));
  });

  test("[VB4] two of them are one number, and the first alone did nothing then", async () => {
    const options = Array.from({ length: 12 }, (_, i) => ({ label: `Row ${i + 1}` }));
    const dialog = mount([{ ...FEATURES, options }]);
    dialog.press("1", "2", KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [11] }));
  });

  test("[VB4] open Other's field", async () => {
    const dialog = mount([STORE]);
    dialog.press("4");
    dialog.type("3 files");
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [], text: "3 files" }));
  });

  test("[VB4] a dialog may open with a row chosen", async () => {
    const dialog = mount([STORE], { choose: 1 });
    expect(await dialog.screen()).toContain("❯ (•) 2. Postgres");
    expect(await mount([STORE], { choose: 3 }).screen()).toContain("Enter your answer:");
  });
});

test("[VB3] where leaving keeps the question open, Esc says so and closes at once, with the draft", async () => {
  const dialog = mount([STORE], { closes: true });
  expect(await dialog.screen()).toContain("Esc: close");
  dialog.press("2", KEY.escape);
  expect(dialog.ends).toMatchObject([{ type: "cancelled", draft: { entries: [{ picks: [1] }] } }]);
});
