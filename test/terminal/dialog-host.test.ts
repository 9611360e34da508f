import { expect, test } from "bun:test";
import { Terminal as Xterm } from "@xterm/headless";
import { Input, type Terminal, TuiAltScreen, TuiMainScreen } from "@earendil-works/pi-tui";
import { Question } from "../../src/core/ask/question.ts";
import { createDialog, type DialogEnd } from "../../src/dialog/dialog.ts";
import { themeFor } from "../../src/dialog/theme.ts";
import { poll } from "../../src/lab/poll.ts";
import { KEY, paste, STORE } from "./dialog-headless.ts";

for (const Tui of [TuiMainScreen, TuiAltScreen]) {
  test(`[DG58] over another program's input (${Tui.name}) it takes every key, paste and Enter, and gives them back`, async () => {
    const screen = new Xterm({ cols: 80, rows: 24, allowProposedApi: true });
    let receive: (data: string) => void = () => {};
    const tui = new Tui(terminalOf(screen, (onInput) => (receive = onInput)));
    const sent: string[] = [];
    const input = new Input();
    input.onSubmit = (text) => sent.push(text);
    tui.addChild(input);
    tui.setFocus(input);
    tui.start();
    receive("a");

    const ends: DialogEnd[] = [];
    let now = 0;
    const dialog = createDialog({
      questions: Question.array().parse([STORE]),
      theme: themeFor({ color: true, scheme: "dark" }),
      size: () => ({ columns: 80, rows: 20 }),
      now: () => now,
      repaint: () => tui.requestRender(),
      onEnd: (end) => {
        ends.push(end);
        overlay.hide();
      },
    });
    const overlay = tui.showOverlay(dialog, { width: 80, anchor: "bottom-center" });
    await shows(screen, "❯ ( ) 1. SQLite");
    now = 1000;
    for (const key of ["j", "x", paste("pasted\r"), KEY.pageDown, KEY.down, KEY.enter]) receive(key);
    expect(ends).toEqual([{ type: "submitted", answers: [{ picks: [2] }] }]);
    expect({ value: input.getValue(), sent }).toEqual({ value: "a", sent: [] });

    for (const key of ["b", KEY.enter]) receive(key);
    expect(sent).toEqual(["ab"]);
    tui.stop();
    screen.dispose();
  });
}

function terminalOf(screen: Xterm, started: (onInput: (data: string) => void) => void): Terminal {
  const nothing = () => {};
  return {
    start: (onInput) => started(onInput),
    stop: nothing,
    drainInput: async () => {},
    write: (data) => screen.write(data),
    columns: screen.cols,
    rows: screen.rows,
    kittyProtocolActive: false,
    moveBy: nothing,
    hideCursor: nothing,
    showCursor: nothing,
    clearLine: nothing,
    clearFromCursor: nothing,
    clearScreen: nothing,
    setTitle: nothing,
    setProgress: nothing,
  };
}

function shows(screen: Xterm, text: string): Promise<true> {
  const line = (y: number) => screen.buffer.active.getLine(y)?.translateToString() ?? "";
  const lines = () => Array.from({ length: screen.rows }, (_, y) => line(y));
  const look = () => (lines().join("\n").includes(text) ? true : undefined);
  return poll<true>(look, { everyMs: 5, failure: () => lines().join("\n") });
}
