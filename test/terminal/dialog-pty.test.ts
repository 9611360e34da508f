import { describe, expect, test } from "bun:test";
import { FEATURES, KEY, NAME, paste, STORE } from "./dialog-headless.ts";
import { openWindow } from "./dialog-window.ts";

const submitted = (...answers: object[]) => ({ type: "submitted", answers });

describe("keys in a real pseudo-terminal", () => {
  test("[DG32] the whole way: choose, toggle, own text, error, back, review, submit", async () => {
    await using window = await openWindow({ questions: [STORE, FEATURES], prefill: [{ picks: [1] }, { picks: [2] }] });
    await window.ready("─── 1/2: Store");
    await window.play(
      ["", "❯ (•) 2. Postgres"],
      [KEY.up, "❯ ( ) 1. SQLite"],
      [KEY.enter, /2\/2: Features[^]*❯ \[x\] 3\. Export/],
      [KEY.space, "❯ [ ] 3. Export"],
      ["4", "❯ [ ] 4. Other"],
      [KEY.enter, "› Type here, then Enter to confirm"],
      [KEY.enter, "Other selected but no text entered"],
      ["wörld 日本 🎉", "› wörld 日本 🎉"],
      [KEY.escape, /❯ \[ \] 4\. Other\n +“wörld 日本 🎉”[^]*Esc: cancel/],
      [KEY.space, "❯ [x] 4. Other"],
      [KEY.left, /1\/2: Store[^]*❯ \(•\) 1\. SQLite/],
      [KEY.right, "2/2: Features"],
      [KEY.enter, /─── Review ─[^]*SQLite[^]*wörld 日本 🎉/],
      [KEY.enter, '{"type"'],
    );
    expect(await window.ended()).toEqual(submitted({ picks: [0] }, { picks: [], text: "wörld 日本 🎉" }));
  });

  test("[DG33] two keys in one read are both applied", async () => {
    await using window = await openWindow({ questions: [STORE] });
    await window.ready();
    window.send(`${KEY.down}${KEY.down}${KEY.enter}`);
    expect(await window.ended()).toEqual(submitted({ picks: [2] }));
    await using twice = await openWindow({ questions: [STORE] });
    await twice.ready();
    await twice.play([KEY.space, "(•)"]);
    twice.send(`${KEY.escape}${KEY.escape}`);
    expect(await twice.ended()).toMatchObject({ type: "cancelled", draft: { entries: [{ picks: [0] }] } });
  });

  test("[DG55] a terminal that says it reports releases gets its keys understood and its last release swallowed", async () => {
    await using window = await openWindow({ questions: [STORE, FEATURES] });
    await window.ready();
    window.send("\x1b[?7u");
    await window.play(["\x1b[13;1:1u\x1b[13;1:3u", "2/2: Features"], ["\x1b[32u\x1b[32;1:3u", "❯ [x] 1. Auth"]);
    await window.play(["\x1b[13u\x1b[13;1:3u", "─── Review"]);
    window.send("\x1b[13u");
    window.send("\x1b[13;1:3u");
    expect(await window.ended()).toEqual(submitted({ picks: [0] }, { picks: [0] }));
    expect(window.screen()).not.toContain("13;1:3u");
  });

  test("[DG34] a bracketed paste arrives whole, in pieces too", async () => {
    await using window = await openWindow({ questions: [NAME] });
    await window.ready();
    const text = Array.from({ length: 40 }, (_, i) => `line ${i} 日本`).join("\n");
    for (const piece of paste(text).match(/[^]{1,7}/g) ?? []) window.send(piece);
    await window.waitFor("line 39 日本");
    window.send(KEY.enter);
    expect(await window.ended()).toEqual(submitted({ picks: [], text }));
  });

  test("[DG35] keys typed before it appeared settle nothing", async () => {
    await using window = await openWindow({ questions: [STORE] });
    window.send(`${KEY.enter}${KEY.down}${KEY.space}${KEY.escape}`);
    await window.ready("❯ ( ) 1. SQLite");
    expect(window.isAlternate()).toBe(true);
    window.send(KEY.enter);
    expect(await window.ended()).toEqual(submitted({ picks: [0] }));
  });

  test("[DG36] a resize while it is open draws it again in the new size", async () => {
    await using window = await openWindow({ questions: [STORE], context: "Said before." });
    await window.ready();
    for (const [columns, rows] of [
      [40, 10],
      [300, 100],
      [80, 24],
    ] as const) {
      window.resize(columns, rows);
      const rule = "─".repeat(Math.min(columns, 120));
      await window.waitFor(new RegExp(`^ *${rule}$[^]*Esc: cancel`, "m"));
      await window.played(() => window.screen().match(/─── Store/g)?.length === 1);
    }
  });

  test("[DG37] the host's own input gets no key while it is open, and every key afterwards", async () => {
    await using window = await openWindow({ questions: [NAME], readline: true });
    await window.ready();
    window.send("for the dialog");
    window.send(paste("\rpasted\r"));
    await window.waitFor("pasted");
    window.send(KEY.enter);
    await window.waitFor('{"type"');
    window.send("for the host\r");
    await window.waitFor("host line: for the host");
    window.send("bye\r");
    expect(await window.ended()).toEqual(submitted({ picks: [], text: "for the dialog\npasted" }));
    await window.played(() => window.screen().match(/host line/g)?.length === 1);
  });

  test("[DG38] the terminal's answer about its background makes it light", async () => {
    await using window = await openWindow({ questions: [STORE] });
    await window.ready();
    await window.played(() => window.raw().includes("\x1b[38;5;246m") && window.raw().includes("\x1b]11;?\x07"));
    window.send("\x1b]11;rgb:ffff/ffff/f0f0\x07");
    await window.played(() => window.raw().includes("\x1b[38;5;241m"));
    await using plain = await openWindow({ questions: [STORE] }, { env: { NO_COLOR: "1" } });
    await plain.ready();
    expect(plain.raw()).not.toMatch(/38;5|\]11;/);
  });
});
