import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { stripTerminalSequences } from "@earendil-works/pi-tui";
import type { Client } from "../../src/client/client.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { readMouse } from "../../src/dialog/mouse.ts";
import { themeFor } from "../../src/dialog/theme.ts";
import type { Settlement } from "../../src/surfaces/cli/answering/settle-ask.ts";
import type { Desk } from "../../src/surfaces/tui/action/inbox-actions.ts";
import type { Drafts } from "../../src/surfaces/tui/action/drafts.ts";
import { createOwnKeys } from "../../src/surfaces/tui/action/own-keys.ts";
import { createModel } from "../../src/surfaces/tui/model.ts";
import { createInboxScreen } from "../../src/surfaces/tui/screen.ts";
import { createProgram, type Program } from "../e2e/program.ts";
import { eventually } from "../patience.ts";
import { askOf, question } from "../sample.ts";
import { ask, guardOver, onScreen } from "./inbox-stage.ts";

const NOW = 1_800_000_000_000;
const view = (id: string, text: string, more: Partial<AskView> = {}): AskView => ({
  ...askOf({ questions: [question(text, ["SQLite", "Postgres"])] }),
  id,
  createdAt: NOW - 5000,
  agentTitle: "Claude Code",
  sentence: "",
  reachable: true,
  ...more,
});
const click = (line: number, column: number) => ({ type: "click", line, column }) as const;

/** The inbox without a terminal around it, and what it asked to be settled. */
function drawn(columns = 80, rows = 24) {
  let now = NOW;
  const model = createModel({ now: () => now });
  const settled: Settlement[] = [];
  const desk = {
    settle: async (_: AskView, settlement: Settlement) => void settled.push(settlement),
    isMine: () => false,
    isUnderway: () => false,
  } as unknown as Desk;
  const nothing = () => undefined;
  const drafts = { load: async () => undefined, keep: nothing, save: async () => undefined } as unknown as Drafts;
  const theme = themeFor({ color: false, scheme: "dark" });
  const size = () => ({ columns, rows });
  const room = { model, desk, theme, size, repaint: nothing };
  // None of these asks has a call.
  const own = { ...room, client: {} as Client, edit: () => "", jumped: nothing };
  const screen = createInboxScreen({ ...room, drafts, quit: nothing, beside: (stage) => createOwnKeys(own, stage) });
  for (const [i, text] of ["First?", "Second?", "Third?"].entries()) screen.heard(view(`a${i}`, text));
  const text = () => screen.render().map((line) => stripTerminalSequences(line).trimEnd());
  text();
  now += 1000;
  const lineOf = (words: string) => text().findIndex((line) => line.includes(words));
  const shows = (words: string) => eventually(() => expect(text().join("\n")).toContain(words));
  return { model, screen, settled, text, lineOf, shows, later: (ms: number) => void (now += ms) };
}

describe("the mouse", () => {
  test("[VB6] what a terminal sends is read, and nothing else", () => {
    expect(readMouse("\x1b[<0;3;5M")).toEqual({ type: "click", line: 4, column: 2 });
    expect(readMouse("\x1b[<65;300;5M")).toEqual({ type: "wheel", by: 1, line: 4, column: 299 });
    expect(readMouse("\x1b[<64;1;1M")).toMatchObject({ by: -1 });
    for (const other of ["\x1b[<0;3;5m", "\x1b[<2;3;5M", "\x1b[<0;0;5M", "\x1b[<0;99999999;5M", "x"])
      expect(readMouse(other)).toBeUndefined();
  });

  test("[VB6] a click selects a row, on a tab it opens it, on a key it presses it; the wheel moves", async () => {
    const { model, screen, text, lineOf } = drawn();
    screen.point(click(lineOf("Third?"), 10));
    expect(model.cursor().index).toBe(2);
    screen.point({ type: "wheel", by: -1, line: 5, column: 4 });
    expect(model.cursor().index).toBe(1);
    screen.point(click(0, text()[0]?.indexOf("Settled") ?? 0));
    expect(model.tab).toBe("settled");
    screen.point(click(0, text()[0]?.indexOf("Waiting") ?? 0));
    expect(model.tab).toBe("waiting");
    screen.point(click(23, (text()[23]?.indexOf("d decline") ?? 0) + 3));
    expect(text()[23]).toContain("Decline, because:");
    screen.handleInput("\x1b");
    screen.point(click(23, 77));
    expect(text().join("\n")).toContain("─ Keys ─");
  });

  test("[VB6] a click on an option of the detail opens the dialog with it chosen; in the dialog it chooses too", async () => {
    const { screen, settled, text, lineOf, shows, later } = drawn();
    screen.point(click(lineOf("2. Postgres"), 45));
    await shows("❯ (•) 2. Postgres");
    later(300);
    screen.point(click(lineOf("( ) 1. SQLite"), 20));
    expect(lineOf("❯ (•) 1. SQLite")).toBeGreaterThan(0);
    const help = lineOf("Enter: select");
    screen.point(click(help, text()[help]?.indexOf("Enter") ?? 0));
    await eventually(() => expect(settled).toEqual([{ action: "answer", answers: [{ picks: [0] }] }]));
  });

  test("[VB6] 40 by 12: a click selects, a second one reads, an option in the text opens the dialog", async () => {
    const { model, screen, lineOf, shows } = drawn(40, 12);
    screen.point(click(lineOf("Second?"), 5));
    screen.point(click(lineOf("Second?"), 5));
    expect(model.readsDetail).toBe(true);
    screen.point(click(lineOf("2. Postgres"), 5));
    await shows("❯ (•) 2. Postgres");
  });
});

describe("keys", () => {
  test("[VB5] a digit opens the dialog with that option chosen; a number without an option says so", async () => {
    const { screen, lineOf, shows } = drawn();
    screen.handleInput("7");
    expect(lineOf("there is no option 7")).toBeGreaterThan(0);
    screen.handleInput("2");
    await shows("❯ (•) 2. Postgres");
  });

  test("[VB7] x asks, then stops the agent; any other key leaves it", async () => {
    const { screen, settled, lineOf, later } = drawn();
    screen.handleInput("x");
    expect(lineOf("Stop the agent, as Esc does?")).toBeGreaterThan(0);
    later(300);
    screen.handleInput("n");
    expect(lineOf("Stop the agent, as Esc does?")).toBe(-1);
    screen.handleInput("x");
    screen.render();
    later(300);
    screen.handleInput("y");
    expect(settled).toEqual([{ action: "cancel" }]);
  });
});

describe("the real program", () => {
  let program: Program;
  beforeAll(async () => {
    program = createProgram();
    await program.start();
  });
  afterAll(() => program.dispose());

  test("[VB8] clicked from the list to the answer; a question is cancelled with x; the mouse is given back", async () => {
    const first = await ask(program, { text: "First?", options: ["SQLite", "Postgres"] });
    const second = await ask(program, { text: "Second?", options: ["Yes", "No"], origin: { session: "s-1" } });
    await using inbox = onScreen(program);
    const clickOn = async (words: string) => {
      const lines = (await inbox.shows(words)).split("\n");
      const line = lines.findIndex((each) => each.includes(words));
      inbox.press(`\x1b[<0;${(lines[line]?.indexOf(words) ?? 0) + 2};${line + 1}M\x1b[<0;1;1m`);
    };
    await clickOn("2. Postgres");
    await inbox.shows("❯ (•) 2. Postgres");
    await guardOver();
    await clickOn("Enter: select");
    await inbox.shows('saved: "Postgres"');
    expect((await program.client().call("getAsk", { id: first.id })).outcome).toMatchObject({
      answers: [{ picks: [1] }],
    });
    await inbox.shows("❯ Second?");
    await guardOver();
    inbox.press("x");
    await inbox.shows("Stop the agent, as Esc does?");
    await guardOver();
    inbox.press("y");
    await inbox.shows("[Waiting 0]");
    expect((await program.client().call("getAsk", { id: second.id })).outcome).toMatchObject({ type: "cancelled" });
    inbox.press("q");
    await inbox.ended();
    for (const mode of ["1000", "1006"])
      expect(inbox.raw().lastIndexOf(`\x1b[?${mode}l`)).toBeGreaterThan(inbox.raw().lastIndexOf(`\x1b[?${mode}h`));
  });
});
