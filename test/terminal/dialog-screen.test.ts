import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { CURSOR_MARKER, visibleWidth } from "@earendil-works/pi-tui";
import { schemeOf, schemeOfColor, themeFor, themeOf } from "../../src/dialog/theme.ts";
import { FEATURES, KEY, mount, NAME, STORE } from "./dialog-headless.ts";

const helpOf = (screen: string) => screen.split(/\n─+(?: \d+\/\d+ )?──\n/)[1]?.trim() ?? "";
const CODE = ["function open(path) {", "  return new Database(path);", "}"].join("\n");

describe("help and previews", () => {
  test("[DG20] the help line names the usual keys first, then what else applies", async () => {
    expect(helpOf(await mount([STORE]).screen())).toBe(
      "Enter: select  ↑↓: navigate  Esc: cancel  n: note  Ctrl+O: hide",
    );
    expect(helpOf(await mount([FEATURES]).screen())).toBe(
      "Space: toggle  Enter: confirm  ↑↓: navigate  Esc: cancel  n: note\n  Ctrl+O: hide",
    );
    expect(helpOf(await mount([STORE, NAME], { columns: 100 }).screen())).toContain("Esc: cancel  ←→: questions");
    expect(helpOf(await mount([STORE], { columns: 40, rows: 10 }).screen())).toBe(
      "Enter: select  ↑↓: navigate  Esc: cancel",
    );
    expect(helpOf(await mount([FEATURES], { columns: 40, rows: 10 }).screen())).toBe(
      "Space: toggle  Enter: confirm\n↑↓: navigate  Esc: cancel  n: note",
    );
  });

  test("[DG21] a preview stands beside the options, below them where it is narrow, and alone with p", async () => {
    const options = [{ label: "One", preview: CODE }, { label: "Two", preview: "second" }, { label: "Three" }];
    const wide = mount([{ ...STORE, options }]);
    expect(await wide.screen()).toMatch(
      /❯ \( \) 1\. One +│ function open\(path\) \{\n.*2\. Two +│   return new Database/,
    );
    wide.press(KEY.down);
    expect(await wide.screen()).toMatch(/1\. One +│ second/);
    const narrow = mount([{ ...STORE, options }], { columns: 50 });
    expect(await narrow.screen()).toMatch(/4\. Other[^]*│ function open\(path\) \{\n +│   return new Database/);
    const tiny = mount([{ ...STORE, options }], { columns: 40, rows: 10 });
    expect(await tiny.screen()).not.toContain("function open");
    tiny.press("p");
    expect(await tiny.screen()).toMatch(/One\n +function open\(path\) \{\n +  return new Database/);
    tiny.press(KEY.escape);
    expect(await tiny.screen()).toContain("❯ ( ) 1. One");
    const lines = Array.from({ length: 60 }, (_, i) => `row ${i}`).join("\n");
    const scrolling = mount([{ ...STORE, options: [{ label: "One", preview: lines }] }]);
    scrolling.press(KEY.shiftDown, KEY.shiftDown);
    expect(await scrolling.screen()).toMatch(/1\. One +↑ row 2\n[^]* ↓ row \d+\n/);
    scrolling.press("p", KEY.pageDown, KEY.pageDown);
    expect(await scrolling.screen()).toMatch(/One\n +row 18\n/);
    expect(tiny.ends).toEqual([]);
  });
});

describe("what was there before", () => {
  test("[DG22] prefilled answers are chosen on opening and on every later question; commas survive", async () => {
    const prefill = [{ picks: [2] }, { picks: [1], text: "mine, too" }];
    const dialog = mount([STORE, FEATURES], { prefill });
    expect(await dialog.screen()).toContain("❯ (•) 3. Files, one each");
    dialog.press(KEY.enter);
    const later = await dialog.screen();
    expect(later).toContain("[ ] 1. Auth");
    expect(later).toContain("[x] 2. Search, full text");
    expect(later).toMatch(/\[x\] 4\. Other\n +“mine, too”/);
    dialog.press(KEY.enter, KEY.enter);
    expect(dialog.ends).toEqual([{ type: "submitted", answers: prefill }]);
  });

  test("[DG23] every change reaches the draft, and a draft is there again on reopening", async () => {
    const drafts: object[] = [];
    const first = mount([FEATURES, NAME], { onDraft: (draft) => drafts.push(draft) });
    first.press(KEY.space, "4", KEY.enter);
    first.type("ab");
    expect(drafts).toHaveLength(3);
    first.press(KEY.ctrlC);
    const [end] = first.ends;
    if (end?.type !== "cancelled") throw new Error("not cancelled");
    expect(drafts.at(-1)).toEqual(end.draft);
    const again = mount([FEATURES, NAME], { draft: structuredClone(end.draft) });
    expect(await again.screen()).toMatch(
      /❯ \[x\] 1\. Auth[^]*\[ \] 4\. Other\n +“ab”[^]*What you entered before is back\./,
    );
    expect(await mount([FEATURES, NAME]).screen()).not.toContain("ab”");
  });

  test("[DG24] a key within 300 ms of the dialog appearing settles nothing; text for an open field is kept", async () => {
    for (const key of [KEY.enter, KEY.space, KEY.escape, KEY.ctrlC, "1", "n", KEY.tab]) {
      const dialog = mount([STORE], { age: 299 });
      const before = await dialog.screen();
      dialog.press(key);
      expect(dialog.ends).toEqual([]);
      expect(await dialog.screen()).toBe(before);
      dialog.wait(1);
      dialog.press(KEY.enter);
      expect(dialog.ends).toHaveLength(1);
    }
    const field = mount([NAME], { age: 10 });
    field.type("typed ahead");
    field.press(KEY.enter);
    expect(field.ends).toEqual([]);
    expect(await field.screen()).toContain("typed ahead");
  });

  test("[DG25] when somebody else settled it the form says so, keeps the draft, and any key leaves", async () => {
    const dialog = mount([STORE]);
    dialog.press(KEY.space);
    dialog.dialog.conclude("Answered on the web page by Ada: \x1b[31mPostgres");
    expect(await dialog.screen()).toMatch(/Answered on the web page by Ada: Postgres\n +What you entered is kept\./);
    dialog.press("x");
    expect(dialog.ends).toEqual([]);
    dialog.wait(300);
    dialog.press("x");
    expect(dialog.ends).toMatchObject([{ type: "cancelled", draft: { entries: [{ picks: [0] }] } }]);
  });

  test("[DG26] Ctrl+O reduces the dialog to one line; the next key only opens it again", async () => {
    const dialog = mount([STORE, NAME]);
    dialog.press(KEY.ctrlO);
    expect(dialog.dialog.render(80)).toHaveLength(1);
    expect(await dialog.screen()).toBe("▸ 1/2: Store  any key: open");
    dialog.press(KEY.enter);
    expect(await dialog.screen()).toStartWith("─── 1/2: Store");
    expect(dialog.dialog.draft().entries[0]?.picks).toEqual([]);
  });
});

describe("room and colour", () => {
  const long = Array.from({ length: 60 }, (_, i) => `sentence number ${i}`).join(", ");

  test("[DG27] long texts wrap and scroll: the question, the context above it, an option, a text", async () => {
    const options = [{ label: "First", description: long }, { label: "Second" }];
    const dialog = mount([{ ...STORE, text: `Asked ${long}`, options }], { context: `Said ${long}`, columns: 60 });
    expect(await dialog.screen()).toMatch(/^↑ Asked sentence number 0,/m);
    dialog.press(KEY.pageUp, KEY.pageUp, KEY.pageUp);
    expect(await dialog.screen()).toMatch(/^ {2}Said sentence number 0,/m);
    dialog.press(...Array<string>(9).fill(KEY.pageDown));
    expect(await dialog.screen()).toMatch(/sentence number 59\n/);
    expect(await dialog.screen()).not.toContain("Said");
    dialog.press(...Array<string>(99).fill(KEY.shiftDown));
    expect(await dialog.screen()).toMatch(/❯ \( \) 1\. First\n[^]*number 59\n +\( \) 2\. Second/);
    dialog.press("3", KEY.enter);
    dialog.type(long);
    expect(await dialog.screen()).toMatch(/sentence number 59 *\n/);
  });

  test("[DG57] a long plan or diff gets the room that descriptions can spare", async () => {
    const body = ["@@ -1,40 +1,40 @@", ...Array.from({ length: 40 }, (_, i) => `+line ${i}`)].join("\n");
    const options = ["Yes", "Yes, always", "No"].map((label) => ({ label, description: long }));
    const dialog = mount([{ ...STORE, body, options }], { context: long });
    const screen = await dialog.screen();
    expect(screen.match(/\+line \d+/g)?.length).toBeGreaterThan(4);
    expect(screen).toMatch(/❯ \( \) 1\. Yes\n[^]*2\. Yes, always\n +\( \) 3\. No\n +\( \) 4\. Other/);
    expect(await dialog.colorOf("+line 1")).toBe(114);
    const short = mount([{ ...STORE, options: options.map((option) => ({ ...option, description: "Short" })) }], {
      context: long,
    });
    expect((await short.screen()).match(/Short$/gm)).toHaveLength(3);
  });

  test("[DG28] it fits from 40×10 to 300×100, and a resize while open loses nothing", async () => {
    const dialog = mount([STORE, FEATURES]);
    dialog.press(KEY.enter, KEY.down, KEY.space);
    for (const [columns, rows] of [
      [40, 10],
      [300, 100],
      [120, 40],
      [41, 11],
      [80, 24],
    ] as const) {
      dialog.resize(columns, rows);
      expect(await dialog.screen()).toMatch(/─── 2\/2: Features ─[^]*❯ \[x\] 2\. Search, full text[^]*Esc: cancel/);
    }
    dialog.press(KEY.enter, KEY.enter);
    expect(dialog.ends).toEqual([{ type: "submitted", answers: [{ picks: [0] }, { picks: [1] }] }]);
  });

  test("[DG29] whatever a model writes and whatever is pressed, no line is too wide, none too many, the cursor is in sight", () => {
    const word = fc.constantFrom(
      "word",
      "日本語",
      "👨‍👩‍👧",
      "é",
      "❤️",
      "\x1b[31m",
      "\x1b]0;t\x07",
      "\u202e",
      "\r",
      "\n",
      "\t",
      "\0",
      "x".repeat(90),
      " ",
    );
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));
    const option = fc.record({ label: text, description: text, preview: text }, { requiredKeys: ["label"] });
    const question = fc.record({
      header: text,
      text,
      body: text,
      multiSelect: fc.boolean(),
      options: fc.array(option, { maxLength: 9 }),
    });
    const key = fc.constantFrom(
      ...Object.values(KEY).filter((name) => name !== KEY.ctrlC),
      "n",
      "p",
      "3",
      "x",
      "日",
      "J",
    );
    const run = fc.record({
      questions: fc.array(question, { minLength: 1, maxLength: 4 }),
      context: text,
      keys: fc.array(key, { maxLength: 25 }),
      columns: fc.integer({ min: 40, max: 300 }),
      rows: fc.integer({ min: 10, max: 100 }),
    });
    const ours = /\x1b\[[0-9;]*m/g;
    fc.assert(
      fc.property(run, ({ questions, context, keys, columns, rows }) => {
        const { dialog, press, ends } = mount(questions, { context, columns, rows });
        for (const pressed of keys) {
          press(pressed);
          const lines = dialog.render(columns);
          const plain = lines.map((line) => line.replaceAll(CURSOR_MARKER, "").replace(ours, ""));
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(Math.max(...lines.map(visibleWidth))).toBeLessThanOrEqual(columns);
          expect(plain.join("").match(/[\x00-\x1f\x7f-\x9f\u202e]/)).toBeNull();
          const listed = plain.slice(-2).join("").includes("navigate");
          if (listed && ends.length === 0) expect(plain.some((line) => line.includes("❯ "))).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("[DG30] a megabyte in every text and ten thousand options are drawn as bounded text", async () => {
    const huge = "\x1b]0;title\x07日本 ".repeat(100_000);
    const options = Array.from({ length: 10_000 }, (_, i) => ({
      label: `${i} ${huge}`,
      description: huge,
      preview: huge,
    }));
    const dialog = mount([{ ...FEATURES, header: huge, text: huge, body: huge, options }], { context: huge });
    dialog.press("G", KEY.up, KEY.space, "p", KEY.escape, KEY.pageDown);
    expect(await dialog.screen()).toMatch(/❯ \[x\] 10000\. 9999 日本[^]* 10000\/10001 ──/);
    expect(dialog.written.join("").length).toBeLessThan(100_000);
  });

  test("[DG31] NO_COLOR, a dumb terminal and no terminal leave the colours out; light and dark differ", async () => {
    const painted = (theme: ReturnType<typeof themeFor>) => theme.error("x") + theme.muted("x") + theme.accent("x");
    expect(painted(themeOf({ NO_COLOR: "1", TERM: "xterm" }, true))).not.toContain("38;5");
    expect(painted(themeOf({ TERM: "dumb" }, true))).not.toContain("38;5");
    expect(painted(themeOf({ TERM: "xterm" }, false))).not.toContain("38;5");
    expect(painted(themeOf({ NO_COLOR: "", TERM: "xterm" }, true))).toContain("38;5");
    const [dark, light] = [themeFor({ color: true, scheme: "dark" }), themeFor({ color: true, scheme: "light" })];
    expect(painted(dark)).not.toBe(painted(light));
    expect([schemeOf({ COLORFGBG: "0;15" }), schemeOf({ COLORFGBG: "15;default;0" }), schemeOf({})]).toEqual([
      "light",
      "dark",
      undefined,
    ]);
    expect([schemeOfColor({ r: 255, g: 255, b: 240 }), schemeOfColor({ r: 30, g: 30, b: 60 })]).toEqual([
      "light",
      "dark",
    ]);
    const plain = mount([STORE], { theme: themeFor({ color: false, scheme: "dark" }) });
    plain.press(KEY.space);
    expect(await plain.screen()).toContain("❯ (•) 1. SQLite");
    expect(plain.written.join("")).not.toContain("38;5");
  });
});
