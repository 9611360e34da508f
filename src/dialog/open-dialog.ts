import {
  isKeyRelease,
  matchesKey,
  parseOsc11BackgroundColor,
  ProcessTerminal,
  type Terminal,
} from "@earendil-works/pi-tui";
import type { FormDraft } from "../core/form/form.ts";
import { createAwakeClock } from "./awake-clock.ts";
import { createDialog, type DialogEnd, type DialogOptions } from "./dialog.ts";
import { borrowInput } from "./host-input.ts";
import { dialogWidth } from "./room.ts";
import { createScreen } from "./screen.ts";
import { hasColor, schemeOf, schemeOfColor, themeFor, themeOf } from "./theme.ts";
import { onTrouble } from "./trouble.ts";

export type OpenOptions = Omit<DialogOptions, "theme" | "size" | "now" | "repaint" | "onEnd"> & {
  signal?: AbortSignal;
  /** Gets the function that says who settled it meanwhile. */
  conclude?: (say: (line: string) => void) => void;
  terminal?: Terminal;
};
export type OpenEnd = DialogEnd | { type: "aborted"; draft: FormDraft };

/** Replies of the terminal to what was asked of it at the beginning come within this time, over a slow line too. */
const REPLY_MS = 300;

/** One dialog on the whole terminal, which is as it was before when this has ended, however it ended. */
export function openDialog({ signal, conclude, terminal, ...options }: OpenOptions): Promise<OpenEnd> {
  const tty = terminal ?? new ProcessTerminal();
  const giveBack = terminal ? () => {} : borrowInput(process.stdin);
  const screen = createScreen(tty);
  const isTty = terminal !== undefined || process.stdout.isTTY;
  const theme = themeOf(process.env, isTty);
  const opened = performance.now();
  const { promise, resolve } = deferred<OpenEnd>();
  let decided: OpenEnd | undefined;
  let closed = false;

  const dialog = createDialog({
    ...options,
    theme,
    size: () => ({ columns: tty.columns, rows: tty.rows - above() }),
    now: createAwakeClock(),
    repaint,
    onEnd: (end) => void finish(end),
  });
  const trouble = onTrouble({ suspend: leave, resume: enter, end: abortNow });

  function above(): number {
    return tty.rows >= 40 ? 2 : 0;
  }
  function repaint(): void {
    if (dialog.isCollapsed()) return screen.stepAside(dialog.render(tty.columns)[0] ?? "");
    screen.enter();
    const margin = " ".repeat(Math.floor((tty.columns - dialogWidth(tty.columns)) / 2));
    screen.paint([...Array<string>(above()).fill(""), ...dialog.render(tty.columns).map((line) => margin + line)]);
  }
  /** Terminals keep key modes for each screen: they are set and taken back while ours is there. */
  function enter(): void {
    screen.enter();
    tty.start(receive, repaint);
    repaint();
    if (hasColor(process.env, isTty) && !schemeOf(process.env)) tty.write("\x1b]11;?\x07");
  }
  function receive(data: string): void {
    if (isKeyRelease(data)) return;
    if (matchesKey(data, "ctrl+z")) return trouble.stop();
    if (!data.startsWith("\x1b]11;")) return dialog.handleInput(data);
    const background = parseOsc11BackgroundColor(data);
    if (!background) return;
    Object.assign(theme, themeFor({ color: true, scheme: schemeOfColor(background) }));
    repaint();
  }
  function leave(): void {
    try {
      tty.stop();
    } catch {
      // A terminal that was closed has nothing to be put back.
    }
    screen.leave();
  }
  async function finish(end: OpenEnd): Promise<void> {
    if (decided) return;
    decided = end;
    // Neither a late reply nor the release of the last key may end up in the shell.
    const missing = opened + REPLY_MS - performance.now();
    if (missing > 0) await tty.drainInput(missing, missing);
    else if (tty.kittyProtocolActive) await tty.drainInput(200, 25);
    close(end);
  }
  function abort(): void {
    void finish(aborted());
  }
  /** Nothing asynchronous runs any more when the process is ending. */
  function abortNow(): void {
    decided ??= aborted();
    close(decided);
  }
  function aborted(): OpenEnd {
    return { type: "aborted", draft: dialog.draft() };
  }
  function close(end: OpenEnd): void {
    if (closed) return;
    closed = true;
    trouble.forget();
    signal?.removeEventListener("abort", abort);
    leave();
    giveBack();
    resolve(end);
  }

  signal?.addEventListener("abort", abort);
  conclude?.(dialog.conclude);
  if (signal?.aborted) abortNow();
  else enter();
  return promise;
}

/** Promise.withResolvers came with Node 22. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}
