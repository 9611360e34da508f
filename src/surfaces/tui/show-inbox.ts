import { isKeyRelease, matchesKey, parseOsc11BackgroundColor, ProcessTerminal } from "@earendil-works/pi-tui";
import { createScreen } from "../../dialog/screen.ts";
import { isMouse, MOUSE_OFF, MOUSE_ON, readMouse } from "../../dialog/mouse.ts";
import { schemeOf, schemeOfColor, type Theme, themeFor, themeOf } from "../../dialog/theme.ts";
import { onTrouble } from "../../dialog/trouble.ts";
import { inEditor } from "../terminal/in-editor.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Edit } from "./action/changing.ts";
import type { Drafts } from "./action/drafts.ts";
import type { Settling } from "./action/settling.ts";
import type { Size } from "./draw/box.ts";
import type { InboxScreen } from "./screen.ts";

const TICK_MS = 1000;
const YOUNG_MS = 500;
/** What is being sent when the person leaves is sent, unless it takes longer. */
const LEAVING_MS = 10_000;
const ASK_BACKGROUND = "\x1b]11;?\x07";

/** What an inbox is made with; `signal` ends what it follows. */
export type Room = {
  theme: Theme;
  size: () => Size;
  repaint: () => void;
  quit: () => void;
  edit: Edit;
  jumped: () => void;
  signal: AbortSignal;
};
/** `start`: fills it with what there is. */
export type Inbox = { view: InboxScreen; drafts: Drafts; desk: Pick<Settling, "leave">; start: () => Promise<void> };

/** Draws an inbox until the person leaves it. Contract: the terminal is as it was before, whatever happens. */
export async function showInbox(page: Terminal, made: (room: Room) => Inbox): Promise<number> {
  const now = () => Date.now();
  const terminal = new ProcessTerminal();
  const screen = createScreen(terminal);
  const ending = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const size = () => ({ columns: terminal.columns, rows: terminal.rows });
  // Filled anew when the terminal says what its background is; everything reads it as it draws.
  const theme = { ...themeOf(page.env, true) };
  const { view, drafts, desk, start } = made({ theme, size, repaint, quit: end, edit, jumped, signal: ending.signal });
  const openedAt = now();
  let isShown = false;
  let isDue = false;

  await start();
  const trouble = onTrouble({ suspend: leave, resume: enter, end: () => (leave(), end()) });
  enter();
  const ticker = setInterval(repaint, TICK_MS);
  try {
    await ended;
  } finally {
    clearInterval(ticker);
    ending.abort();
    trouble.forget();
    // A reply of the terminal, or the release of the last key, must not end up in the shell.
    if (isShown && (terminal.kittyProtocolActive || now() - openedAt < YOUNG_MS)) await terminal.drainInput(200, 25);
    leave();
    for (const line of await desk.leave(LEAVING_MS)) page.err(`${line}\n`);
    for (const text of await drafts.close()) page.err(`Parley did not keep what you typed:\n${text}\n`);
  }
  return 0;

  function enter(): void {
    isShown = true;
    // Terminals keep key modes for each screen: they are set and taken back while ours is there.
    screen.enter();
    terminal.start(receive, repaint);
    terminal.write(MOUSE_ON);
    paint();
    if (page.color && !schemeOf(page.env)) terminal.write(ASK_BACKGROUND);
  }
  function leave(): void {
    if (!isShown) return;
    isShown = false;
    try {
      terminal.write(MOUSE_OFF);
      terminal.stop();
    } catch {
      // A terminal that was closed has nothing to be put back.
    }
    screen.leave();
  }
  function edit(editable: Parameters<Edit>[0]): string {
    leave();
    try {
      return inEditor(editable, page.env);
    } finally {
      enter();
    }
  }
  function receive(data: string): void {
    if (data.startsWith("\x1b]11;")) return adapt(data);
    if (isMouse(data)) return point(data);
    if (isKeyRelease(data)) return;
    if (matchesKey(data, "ctrl+z")) return trouble.stop();
    // Somebody else wrote on the terminal: everything is drawn anew.
    if (matchesKey(data, "ctrl+l")) return redraw();
    view.handleInput(data);
    // Keys are answered at once; everything else may share a frame.
    paint();
  }
  function point(data: string): void {
    const mouse = readMouse(data);
    if (!mouse) return;
    view.point(mouse);
    paint();
  }
  function repaint(): void {
    if (isDue || !isShown) return;
    isDue = true;
    setTimeout(paint, 16);
  }
  function paint(): void {
    isDue = false;
    if (isShown) screen.paint(view.render());
  }
  function redraw(): void {
    screen.leave();
    screen.enter();
    paint();
  }
  function adapt(reply: string): void {
    const background = parseOsc11BackgroundColor(reply);
    if (!background) return;
    Object.assign(theme, themeFor({ color: true, scheme: schemeOfColor(background) }));
    repaint();
  }
  /** In a popup the pane is behind it. */
  function jumped(): void {
    if (page.env["TMUX_PANE"] === undefined) end();
  }
}
