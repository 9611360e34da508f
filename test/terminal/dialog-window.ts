import { Terminal } from "@xterm/headless";
import { join } from "node:path";
import { PATIENCE_MS, poll } from "../../src/lab/poll.ts";
import { guardOver } from "../patience.ts";

export type Input = {
  questions: readonly object[];
  context?: string;
  draft?: object;
  prefill?: readonly object[];
  trouble?: "throw" | "reject" | "exit" | "abort" | "abort at once" | "conclude";
  survive?: NodeJS.Signals;
  readline?: boolean;
};
type Options = {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  command?: readonly string[];
  replyMs?: number;
};

const PROGRAM = ["node_modules/.bin/bun", "test/terminal/dialog-program.ts"];
const ROOT = join(import.meta.dir, "../..");
/** ECHO, ICANON and ISIG of Linux and macOS: what raw mode takes away. */
const COOKED = process.platform === "darwin" ? 0x8 | 0x100 | 0x80 : 0x8 | 0x2 | 0x1;

/** The dialog in a real pseudo-terminal; what it writes is interpreted by a real terminal that has no window. */
export async function openWindow(input: Input, options: Options = {}) {
  const { columns = 80, rows = 24, env = {}, command = PROGRAM, replyMs = 0 } = options;
  const screen = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  let raw = "";
  const child = Bun.spawn([...command, JSON.stringify(input)], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", TERM: "xterm-256color", ...env },
    terminal: {
      cols: columns,
      rows,
      data: (_, bytes) => {
        raw += Buffer.from(bytes).toString("latin1");
        screen.write(bytes);
      },
    },
  });
  const pty = child.terminal;
  if (!pty) throw new Error("no pseudo-terminal on this machine");
  let replies = "";
  screen.onData((reply) => {
    replies += reply;
    setTimeout(() => pty.closed || pty.write(reply), replyMs);
  });

  const text = () => {
    const { active } = screen.buffer;
    const lines = Array.from({ length: screen.rows }, (_, y) => active.getLine(active.viewportY + y));
    return lines
      .map((line) => line?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd();
  };
  const waitFor = async (wanted: RegExp | string, timeoutMs = PATIENCE_MS) => {
    const shows = (seen: string) => (typeof wanted === "string" ? seen.includes(wanted) : wanted.test(seen));
    const failure = () => `the window did not show ${wanted}; it shows:\n${text()}`;
    // A frame comes in pieces: what is half drawn is not looked at.
    const isWhole = () => raw.lastIndexOf("\x1b[?2026h") <= raw.lastIndexOf("\x1b[?2026l");
    return poll(() => (isWhole() && shows(text()) ? text() : undefined), { timeoutMs, everyMs: 5, failure });
  };
  const send = (keys: string) => void pty.write(keys);

  return {
    child,
    screen: text,
    raw: () => raw,
    /** What the terminal answered to questions of the program. */
    replies: () => replies,
    waitFor,
    send,
    /** One key after the other, each when the screen shows what the one before did. */
    async play(...steps: readonly [keys: string, shows: RegExp | string][]) {
      for (const [keys, shows] of steps) {
        send(keys);
        await waitFor(shows);
      }
    },
    /** The dialog is there and so long that keys count. */
    async ready(title: RegExp | string = "───") {
      await waitFor(title);
      await guardOver();
    },
    played: (holds: () => boolean) => poll(() => (holds() ? true : undefined), { everyMs: 5, failure: text }),
    resize(wide: number, high: number) {
      screen.resize(wide, high);
      pty.resize(wide, high);
    },
    isAlternate: () => screen.buffer.active.type === "alternate",
    /** What a shell after it would find: no alternate screen, cursor, wrapping, cooked input, no paste or key modes. */
    restored: () => ({
      screen: screen.buffer.active.type,
      cursor: raw.lastIndexOf("\x1b[?25h") > raw.lastIndexOf("\x1b[?25l"),
      wraps: screen.modes.wraparoundMode,
      paste: screen.modes.bracketedPasteMode,
      // Set and taken back on the alternate screen, which has modes of its own.
      keyboard: !/1049l(?:(?!1049h)[^])*>7u|>7u(?:(?!<u)[^])*1049l/.test(raw) && !/>7u(?:(?!<u)[^])*$/.test(raw),
      cooked: (pty.localFlags & COOKED) === COOKED,
    }),
    async ended() {
      await child.exited;
      await poll(() => (/^\{"type".*\}$/m.test(unwrapped()) ? true : undefined), { failure: text });
      return JSON.parse(/^\{"type".*\}$/m.exec(unwrapped())?.[0] ?? "null");
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      pty.close();
      screen.dispose();
    },
  };

  function unwrapped(): string {
    const { normal } = screen.buffer;
    let all = "";
    for (let y = 0; y < normal.length; y++) {
      const line = normal.getLine(y);
      all += `${line?.isWrapped ? "" : "\n"}${line?.translateToString(true) ?? ""}`;
    }
    return all;
  }
}

export const RESTORED = {
  screen: "normal",
  cursor: true,
  wraps: true,
  paste: false,
  keyboard: true,
  cooked: true,
} as const;
