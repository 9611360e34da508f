import { describe, expect, test } from "bun:test";
import type { Answer } from "../../src/core/ask/answer/answer.ts";
import type { DialogEnd } from "../../src/dialog/dialog.ts";
import { FEATURES, KEY, mount, NAME, paste, STORE } from "./dialog-headless.ts";

const submitted = (...answers: Answer[]): DialogEnd[] => [{ type: "submitted", answers }];

describe("the list", () => {
  test("[DG1] the title is the header, with its number when there are several questions", async () => {
    expect(await mount([STORE]).screen()).toStartWith("─── Store ───");
    const several = mount([STORE, FEATURES]);
    expect(await several.screen()).toStartWith("─── 1/2: Store ───");
    several.press(KEY.enter);
    expect(await several.screen()).toStartWith("─── 2/2: Features ───");
  });

  test("[DG2] single-select has round marks, multi-select square ones, never both", async () => {
    const single = mount([STORE]);
    single.press(KEY.space);
    expect(await single.screen()).toContain("❯ (•) 1. SQLite");
    expect(await single.screen()).toContain("( ) 2. Postgres");
    expect(await single.screen()).not.toMatch(/\[[ x]\]/);
    const multi = mount([FEATURES]);
    multi.press(KEY.down, KEY.space);
    expect(await multi.screen()).toContain("[ ] 1. Auth");
    expect(await multi.screen()).toContain("❯ [x] 2. Search, full text");
    expect(await multi.screen()).not.toMatch(/\([ •]\)/);
  });

  test("[DG3] every question with options ends with Other, added by the dialog", async () => {
    const screen = await mount([STORE]).screen();
    expect(screen).toMatch(/\( \) 4\. Other\n +Provide your own answer/);
  });

  test("[DG56] an option that is recommended or changes more than this one thing says so, once", async () => {
    const options = [
      { label: "A", recommended: true },
      { label: "B (Recommended)", recommended: true },
      { label: "C", stakes: "high" },
    ];
    const screen = await mount([{ ...STORE, options }]).screen();
    expect(screen.match(/[ABC] \(.*\)$/gm)).toEqual(["A (recommended)", "B (Recommended)", "C (high stakes)"]);
  });

  test("[DG4] the list shows six rows and scrolls with the cursor", async () => {
    const options = Array.from({ length: 20 }, (_, i) => ({ label: `Row ${i + 1}` }));
    const many = mount([{ ...STORE, options }]);
    const rows = async () => [...(await many.screen()).matchAll(/(Row \d+|Other)$/gm)].map(([label]) => label);
    expect(await rows()).toEqual(["Row 1", "Row 2", "Row 3", "Row 4", "Row 5", "Row 6"]);
    many.press(...Array<string>(9).fill(KEY.down));
    expect(await rows()).toEqual(["Row 8", "Row 9", "Row 10", "Row 11", "Row 12", "Row 13"]);
    expect(await many.screen()).toMatch(/↑ \( \) +8\.[^]*❯ \( \) 10\.[^]*↓ \( \) 13\.[^]* 10\/21 ──/);
    many.press("G");
    expect(await rows()).toEqual(["Row 16", "Row 17", "Row 18", "Row 19", "Row 20", "Other"]);
  });

  test("[DG5] arrows, j and k move; digits choose, also rows above nine", async () => {
    const options = Array.from({ length: 14 }, (_, i) => ({ label: `Row ${i + 1}` }));
    const many = mount([{ ...STORE, options }]);
    const at = async () => /❯ \(•\) +(\d+)/.exec(await many.screen())?.[1];
    many.press(KEY.down, "j", KEY.up, "j", "k");
    expect(await many.screen()).toContain("❯ ( )  2.");
    many.press("7");
    expect(await at()).toBe("7");
    many.wait(1000);
    many.press("1", "2");
    expect(await at()).toBe("12");
    many.wait(1000);
    many.press("1");
    many.wait(1000);
    many.press("5", "0");
    expect(await at()).toBe("5");
    expect(many.ends).toEqual([]);
  });

  test("[DG6] Enter on a single-select chooses and goes on; Space only replaces", async () => {
    const dialog = mount([STORE]);
    dialog.press(KEY.space, KEY.down, KEY.space);
    expect(await dialog.screen()).toContain("❯ (•) 2. Postgres");
    expect(dialog.ends).toEqual([]);
    dialog.press(KEY.down, KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [2] }));
  });

  test("[DG7] Space toggles and Enter confirms a multi-select; nothing chosen is an error in the error colour", async () => {
    const dialog = mount([FEATURES]);
    dialog.press(KEY.enter);
    expect(await dialog.screen()).toContain("Select at least one option");
    expect(await dialog.colorOf("Select at least")).toBe(210);
    dialog.press(KEY.space, KEY.space, KEY.down, KEY.space, KEY.down, KEY.space);
    expect(await dialog.screen()).not.toContain("Select at least one option");
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [1, 2] }));
  });
});

describe("Other", () => {
  test("[DG8] Enter on Other opens the field, text and Enter choose it", async () => {
    const dialog = mount([STORE]);
    dialog.press("4", KEY.enter);
    expect(await dialog.screen()).toMatch(/Enter your answer:\n +› Type here, then Enter to confirm/);
    dialog.type("wörld 日本 👨‍👩‍👧 🎉");
    expect(await dialog.screen()).toContain("› wörld 日本");
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [], text: "wörld 日本 👨‍👩‍👧 🎉" }));
  });

  test("[DG9] Enter in the empty field shows the error and stays", async () => {
    const dialog = mount([STORE]);
    dialog.press("4", KEY.enter, KEY.enter);
    expect(await dialog.screen()).toContain("Other selected but no text entered");
    expect(await dialog.colorOf("Other selected but")).toBe(210);
    expect(await dialog.screen()).toContain("Enter your answer:");
    dialog.type("x");
    expect(await dialog.screen()).not.toContain("Other selected but no text entered");
  });

  test("[DG10] Esc in the field goes back to the list and keeps the text", async () => {
    const dialog = mount([STORE]);
    dialog.press("4", KEY.enter);
    dialog.type("half a thought");
    dialog.press(KEY.escape);
    expect(await dialog.screen()).toMatch(/❯ \( \) 4\. Other\n +“half a thought”/);
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [], text: "half a thought" }));
  });

  test("[DG11] text may have several lines: Shift+Enter, Alt+Enter and Ctrl+J add one", () => {
    const dialog = mount([NAME]);
    for (const key of [KEY.shiftEnter, KEY.altEnter, KEY.ctrlJ]) {
      dialog.type("line");
      dialog.press(key);
    }
    dialog.type("end");
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [], text: "line\nline\nline\nend" }));
  });

  test("[DG12] a paste is text with all its lines and nothing of it is a key", () => {
    const dialog = mount([NAME]);
    dialog.press(paste("one\r\ntwo\r\tthree\x1b[31m\x03"));
    expect(dialog.ends).toEqual([]);
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [], text: "one\ntwo\n\tthree\ufffd" }));
    const list = mount([STORE]);
    list.press(paste("\r2\r"));
    expect(list.ends).toEqual([]);
  });

  test("[DG13] a question without options is a plain field", async () => {
    const dialog = mount([NAME]);
    expect(await dialog.screen()).toContain("Enter your answer:");
    expect(await dialog.screen()).not.toContain("Other");
    dialog.press(KEY.enter);
    expect(await dialog.screen()).toContain("No text entered");
    dialog.type("Parley");
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [], text: "Parley" }));
  });
});

describe("the way through", () => {
  test("[DG14] arrows and Tab go between questions, then a review, then submit", async () => {
    const dialog = mount([STORE, FEATURES, NAME]);
    dialog.press(KEY.right, KEY.tab);
    expect(await dialog.screen()).toStartWith("─── 3/3: Name");
    dialog.press(KEY.backTab, KEY.left);
    expect(await dialog.screen()).toStartWith("─── 1/3: Store");
    dialog.press(KEY.enter, KEY.space, KEY.enter);
    dialog.type("Parley");
    dialog.press(KEY.enter);
    expect(await dialog.screen()).toMatch(
      /─── Review ─[^]*1\. Store\n +SQLite\n[^]*2\. Features\n +Auth\n[^]*3\. Name\n +Parley/,
    );
    dialog.press("2");
    expect(await dialog.screen()).toContain("❯ [x] 1. Auth");
    dialog.press(KEY.right, KEY.tab);
    expect(dialog.ends).toEqual([]);
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [0] }, { picks: [0] }, { picks: [], text: "Parley" }));
  });

  test("[DG15] the review shows what is missing, and submitting goes there", async () => {
    const dialog = mount([STORE, FEATURES]);
    dialog.press(KEY.enter, KEY.right);
    expect(await dialog.screen()).toMatch(/✓ 1\. Store\n +SQLite\n +✗ 2\. Features\n +Select at least one option/);
    dialog.press(KEY.enter);
    expect(await dialog.screen()).toMatch(/─── 2\/2: Features[^]*Select at least one option/);
    expect(dialog.ends).toEqual([]);
  });

  test("[DG16] n adds a note to the chosen option", async () => {
    const dialog = mount([STORE]);
    dialog.press(KEY.down, "n");
    expect(await dialog.screen()).toMatch(/❯ \(•\) 2\. Postgres[^]*Note for the agent:/);
    dialog.type("only n of them");
    dialog.press(KEY.enter);
    expect(await dialog.screen()).toContain("note: only n of them");
    dialog.press(KEY.enter);
    expect(dialog.ends).toEqual(submitted({ picks: [1], note: "only n of them" }));
  });

  test("[DG17] Esc leaves at once when nothing was filled in, and asks once when something was", async () => {
    const empty = mount([STORE]);
    empty.press(KEY.escape);
    expect(empty.ends).toMatchObject([{ type: "cancelled" }]);
    const filled = mount([STORE]);
    filled.press(KEY.space, KEY.escape);
    expect(await filled.screen()).toContain("Leave? What you entered is kept.");
    filled.press(KEY.down);
    expect(await filled.screen()).toContain("❯ (•) 1. SQLite");
    filled.press(KEY.escape, KEY.escape);
    expect(filled.ends).toMatchObject([{ type: "cancelled", draft: { entries: [{ picks: [0] }] } }]);
  });

  test("[DG18] Ctrl+C leaves without asking, from anywhere", () => {
    for (const keys of [[KEY.space], ["4", KEY.enter, "x"], ["n", "x"], [KEY.space, KEY.escape]]) {
      const dialog = mount([STORE]);
      dialog.press(...keys, KEY.ctrlC);
      expect(dialog.ends).toMatchObject([{ type: "cancelled" }]);
    }
  });

  test("[DG54] a key that is held down moves and types, but chooses and leaves nothing", async () => {
    const held = { enter: "\x1b[13;1:2u", escape: "\x1b[27;1:2u", down: "\x1b[1;1:2B", x: "\x1b[120;1:2u" };
    const dialog = mount([STORE, NAME]);
    dialog.press(held.down, held.enter, held.escape);
    expect(await dialog.screen()).toMatch(/1\/2: Store[^]*❯ \( \) 2\. Postgres/);
    dialog.press(KEY.enter, "x", held.x, held.x, held.enter);
    expect(await dialog.screen()).toMatch(/2\/2: Name[^]*› xxx/);
    expect(dialog.ends).toEqual([]);
  });

  test("[DG55] terminals that report presses and releases, shifted keys and other scripts are understood", async () => {
    const kitty = { release: "\x1b[13;1:3u", enter: "\x1b[13;1:1u", j: "\x1b[1086::106u", o: "\x1b[1086::106;1:1u" };
    const dialog = mount([STORE, FEATURES, NAME]);
    dialog.press(kitty.enter, kitty.release);
    expect(await dialog.screen()).toStartWith("─── 2/3: Features");
    dialog.press(kitty.j, "\x1b[32;1:1u", "\x1b[32;1:3u");
    expect(await dialog.screen()).toContain("❯ [x] 2. Search");
    dialog.press(kitty.enter, kitty.o, "\x1b[27;2;65~", "\x1b[98:66;2u");
    expect(await dialog.screen()).toContain("› оAB");
  });

  test("[DG19] it ends once, whatever is pressed afterwards", () => {
    const dialog = mount([STORE]);
    dialog.press(KEY.enter, KEY.enter, KEY.escape, KEY.ctrlC);
    expect(dialog.ends).toEqual(submitted({ picks: [0] }));
  });
});
