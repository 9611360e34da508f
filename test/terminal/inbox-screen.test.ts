import { describe, expect, test } from "bun:test";
import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui";
import type { Client } from "../../src/client/client.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { themeFor } from "../../src/dialog/theme.ts";
import { createConfirmation, framed, over } from "../../src/surfaces/tui/draw/box.ts";
import { frame } from "../../src/surfaces/tui/draw/draw-frame.ts";
import type { Desk } from "../../src/surfaces/tui/action/inbox-actions.ts";
import type { Drafts } from "../../src/surfaces/tui/action/drafts.ts";
import { createOwnKeys } from "../../src/surfaces/tui/action/own-keys.ts";
import type { Stage } from "../../src/surfaces/tui/beside.ts";
import { createModel, type Model, TABS } from "../../src/surfaces/tui/model.ts";
import { createInboxScreen } from "../../src/surfaces/tui/screen.ts";
import { answered, askOf, delivery, question } from "../sample.ts";

const NOW = 1_800_000_000_000;
const PLAIN = themeFor({ color: false, scheme: "dark" });
const view = (id: string, seconds: number, more: Partial<AskView> = {}): AskView => ({
  ...askOf({ origin: { agent: "claude-code", project: "shop", branch: "main", session: "5b1f0e7a" } }),
  id,
  createdAt: NOW - seconds * 1000,
  updatedAt: NOW - seconds * 1000,
  agentTitle: "Claude Code",
  sentence: "",
  reachable: true,
  ...more,
});

function inbox(...asks: AskView[]): Model {
  const model = createModel({ now: () => NOW });
  for (const ask of asks) model.asks.put(ask);
  model.isComplete = true;
  return model;
}
const STORY = () =>
  inbox(
    view("k7m2p9qa4wxz", 190, {
      questions: [question("Which database should the app use?", ["SQLite (Recommended)", "Postgres"])],
      origin: {
        agent: "claude-code",
        project: "shop",
        branch: "main",
        lastText: "Both would work. The choice decides how we run backups.",
      },
    }),
    view("m3n8r2tb6ykw", 61, {
      kind: "approval",
      questions: [question("Run `rm -rf build`?", ["Allow", "Deny"])],
      origin: { agent: "claude-code", project: "日本語プロジェクト" },
    }),
    view("q9s4v7xc2zja", 5, { questions: [question("What now?", ["A", "B"]), question("And then?", ["C"])] }),
    view("r2s4v7xc2zja", 9, {
      state: "verified",
      settledAt: NOW - 2000,
      outcome: { ...answered({ picks: [1] }), at: NOW - 2300 },
      deliveries: [delivery({ state: "verified", confirmedAt: NOW - 2000 })],
    }),
  );
const draw = (model: Model, columns: number, rows: number, theme = PLAIN) =>
  frame(model, theme, { columns, rows }, undefined);
const text = (lines: readonly string[]) => lines.map((line) => stripTerminalSequences(line).trimEnd()).join("\n");

describe("the screen", () => {
  test("[IN47] list and detail stand side by side", () => {
    expect(text(draw(STORY(), 80, 16))).toMatchInlineSnapshot(`
      " Parley  [Waiting 3]  Settled 1   Sessions 0                             ● live
      ────────────────────────────────────────────────────────────────────────────────
      ❯ Which database should the app … │ k7m2p9  … waiting for an answer for 3 min
         question · shop · 3 min · ★ S… │
        Run \`rm -rf build\`?             │ [Choice] Which database should the app use?
         approval · 日本語プロジェクト… │   1. SQLite (Recommended)
        What now? (+1)                  │   2. Postgres
         question · shop · 5 s          │
                                        │ Claude Code said before:
                                        │   Both would work. The choice decides how we
                                        │   run backups.
                                        │
                                        │ ↓ 2 more lines: J and K scroll
      ────────────────────────────────────────────────────────────────────────────────

       Enter answer  r recommended  d decline  s snooze  Space mark  x stop    ? help"
    `);
  });

  test("[IN47] the same with room to spare", () => {
    expect(text(draw(STORY(), 130, 16))).toMatchInlineSnapshot(`
      " Parley  [Waiting 3]  Settled 1   Sessions 0                                                                               ● live
      ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      ❯ Which database should the app use?                   │ k7m2p9  … waiting for an answer for 3 min
         question · shop · 3 min · ★ SQLite                  │
        Run \`rm -rf build\`?                                  │ [Choice] Which database should the app use?
         approval · 日本語プロジェクト · 61 s                │   1. SQLite (Recommended)
        What now? (+1)                                       │   2. Postgres
         question · shop · 5 s                               │
                                                             │ Claude Code said before:
                                                             │   Both would work. The choice decides how we run backups.
                                                             │
                                                             │ From: Claude Code (answers at once) · shop (main)
                                                             │
      ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

       Enter answer  r recommended  d decline  s snooze  Space mark  x stop  / filter  Tab settled  q quit                       ? help"
    `);
  });

  test("[IN48] 40 by 10 shows the list, and the detail in its place", () => {
    const model = STORY();
    expect(text(draw(model, 40, 10))).toMatchInlineSnapshot(`
      "[Wait 3]  Sett 1   Sess 0        ● live
      ❯ Which database should th… shop · 3 min
        Run \`rm -rf build\`? approval · 日本語…
        What now? (+1)              shop · 5 s





       Enter answer  r recommended     ? help"
    `);
    model.readsDetail = true;
    expect(text(draw(model, 40, 10))).toMatchInlineSnapshot(`
      "[Wait 3]  Sett 1   Sess 0        ● live
      k7m2p9  … waiting for an answer for 3
              min

      [Choice] Which database should the app
      use?
        1. SQLite (Recommended)
      ↓ 8 more lines: J and K scroll

       Enter answer  r recommended     ? help"
    `);
  });

  test("[IN49] the settled tab has the sentences", () => {
    const model = STORY();
    model.tab = "settled";
    expect(text(draw(model, 80, 8))).toMatchInlineSnapshot(`
      " Parley   Waiting 3  [Settled 1]  Sessions 0                             ● live
      ❯ Which database?  ✓ Claude Code… │ r2s4v7  ✓ Claude Code received "Postgres"
                                        │         (300 ms)
                                        │
                                        │ [Choice] Which database?
                                        │ ↓ 5 more lines: J and K scroll

       / filter  Tab sessions  q quit                                          ? help"
    `);
  });

  test("[IN50] an empty inbox says how to get a first question", () => {
    expect(text(draw(inbox(), 80, 16))).toMatchInlineSnapshot(`
      " Parley  [Waiting 0]  Settled 0   Sessions 0                             ● live
      ────────────────────────────────────────────────────────────────────────────────

       Nothing waits for you.

       A question comes here when an agent asks one:
         parley setup
       or a script:
         parley confirm "Deploy?"

       This screen is live: leave it open.


      ────────────────────────────────────────────────────────────────────────────────

       / filter  Tab settled  q quit                                           ? help"
    `);
  });

  test("[IN51] what the line above the keys follows is told as of now", () => {
    const model = STORY();
    model.said = { type: "follow", ids: ["r2s4v7xc2zja"] };
    expect(
      text(draw(model, 80, 16))
        .split("\n")
        .at(-2),
    ).toBe(' ✓ Claude Code received "Postgres" (300 ms)');
    model.said = { type: "late", id: "r2s4v7xc2zja" };
    expect(
      text(draw(model, 80, 16))
        .split("\n")
        .at(-2),
    ).toBe(" shop “Which database?”: answered by cli 2.3 s ago: Postgres");
  });
});

const HOSTILE =
  "\u001b]0;pwned\u0007\u001b[2J\u001b[31mred\u0000\u202eevil\n\r\nnext \u{1f468}\u200d\u{1f469}\u200d\u{1f467} 日本語";
const hostile = () =>
  inbox(
    ...Array.from({ length: 40 }, (_, i) =>
      view(`h${i}`, i, {
        agentTitle: HOSTILE,
        questions: [
          { ...question(HOSTILE.repeat(i), [HOSTILE, HOSTILE.repeat(20)]), header: HOSTILE, body: HOSTILE.repeat(9) },
        ],
        origin: { agent: HOSTILE, project: HOSTILE, branch: HOSTILE, cwd: HOSTILE, lastText: HOSTILE.repeat(50) },
      }),
    ),
  );

test("[IN52] whatever the size, there are as many lines as rows and none is too wide", () => {
  for (const model of [STORY(), hostile(), inbox()])
    for (const columns of [20, 39, 40, 55, 71, 72, 80, 99, 120, 200])
      for (const rows of [4, 10, 13, 14, 24, 50])
        for (const tab of TABS) {
          model.tab = tab;
          const lines = draw(model, columns, rows, themeFor({ color: true, scheme: "light" }));
          const widest = Math.max(...lines.map((line) => visibleWidth(line)));
          expect([columns, rows, lines.length, widest <= columns]).toEqual([columns, rows, Math.max(4, rows), true]);
        }
});

test("[IN53] nothing a model wrote acts on the terminal", () => {
  const model = hostile();
  for (const columns of [40, 100])
    for (const line of draw(model, columns, 30)) {
      // Our own attributes are all there is: bold and inverse, on and off.
      const rest = line.replaceAll(/\u001b\[(?:1|22|7|27|0)m/g, "");
      expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
});

test("[IN54] NO_COLOR means no colour; dark and light differ", () => {
  const drawn = (color: boolean, scheme: "dark" | "light") =>
    draw(STORY(), 100, 20, themeFor({ color, scheme })).join("\n");
  expect(drawn(false, "dark")).not.toMatch(/\u001b\[[\d;]*(?:3|4|9)[0-8]/);
  expect(drawn(true, "dark")).not.toBe(drawn(true, "light"));
});

test("[IN55] ten thousand asks are drawn as fast as they are seen: a screenful", () => {
  const model = inbox(...Array.from({ length: 10_000 }, (_, i) => view(`a${String(i).padStart(11, "0")}`, 10_000 - i)));
  model.cursor().to(9_999);
  const lines = text(draw(model, 100, 30));
  expect(lines).toContain("[Waiting 10000]");
  expect(lines.match(/Which database\?/g)?.length).toBeLessThan(30);
});

test("[IN56] a box stands in the middle and covers what is behind it", () => {
  const size = { columns: 30, rows: 7 };
  const behind = Array.from({ length: 7 }, () => "日".repeat(15));
  const lines = over(behind, framed("Sure?", ["yes or no"], PLAIN, size), size).map(stripTerminalSequences);
  expect(lines.map(visibleWidth)).toEqual(Array(7).fill(30));
  expect(lines[3]).toContain("│ yes or no │");
});

test("[IN64] a confirmation longer than the screen can be read to its end before it is given", () => {
  let now = 0;
  const done: string[] = [];
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
  const made = { title: "Sure?", lines, confirm: () => done.push("yes"), close: () => done.push("closed") };
  const box = createConfirmation(PLAIN, { ...made, now: () => now });
  const size = { columns: 60, rows: 10 };
  expect(text(box.render(size))).toContain("1-6 of 30");
  box.handleInput("\r");
  expect(done).toEqual([]);
  now = 300;
  for (let i = 0; i < 40; i++) box.handleInput("j");
  expect(text(box.render(size))).toContain("line 30");
  box.handleInput("\r");
  expect(done).toEqual(["closed", "yes"]);
});

test("[IN33] a key within 300 ms of another Ask coming under the cursor settles nothing", () => {
  let now = NOW;
  const model = createModel({ now: () => now });
  const settled: string[] = [];
  // A fake desk: only what r asks for is noted.
  const desk = { recommended: ({ id }: AskView) => settled.push(id), isMine: () => false } as unknown as Desk;
  const nothing = () => undefined;
  const room = { model, desk, theme: PLAIN, size: () => ({ columns: 80, rows: 24 }), repaint: nothing };
  // None of these asks has a call.
  const own = { ...room, client: {} as Client, edit: () => "", jumped: nothing };
  const beside = (stage: Stage) => createOwnKeys(own, stage);
  const screen = createInboxScreen({ ...room, drafts: {} as Drafts, quit: nothing, beside });
  for (const [i, id] of ["a", "b"].entries()) screen.heard(view(id, 100 - i));
  screen.render();
  now += 1000;
  screen.heard({ ...view("a", 100), version: 2, state: "settled", outcome: answered({ picks: [0] }) });
  screen.render();
  now += 299;
  screen.handleInput("r");
  expect(settled).toEqual([]);
  expect(text(screen.render())).toContain("Now it is shop “Which database?”: press again");
  now += 1;
  screen.handleInput("r");
  expect(settled).toEqual(["b"]);
});
