import { readSync, writeSync } from "node:fs";
import { columnsOfOutput, isTty } from "./tty.ts";

export type Style = Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", (text: string) => string>;
/** What a command needs of the world; `out` and `err` take whole lines. */
export type Terminal = {
  out(text: string): void;
  err(text: string): void;
  /** Empties the screen. */
  clear(): void;
  /** A line somebody typed; undefined where the input ended instead (Ctrl-D): that is no Enter, and agrees to nothing. */
  ask?(prompt: string): Promise<string | undefined>;
  style: Style;
  errStyle: Style;
  /** Columns of the terminal; without one there is no end. */
  width: number;
  isTty: boolean;
  /** What goes to `err` is read on a screen. */
  errIsTty: boolean;
  color: boolean;
  env: Record<string, string | undefined>;
  cwd: string;
};

/** What lines of text need to know of where they will stand. */
export type Page = Pick<Terminal, "style" | "width">;

/** `unread`: the exit code when nobody reads what is written. */
export function thisTerminal(env: Record<string, string | undefined>, cwd: string, unread = 0): Terminal {
  const [hasInput, hasOutput, hasErrors] = [isTty(0), isTty(1), isTty(2)];
  const mayColor = !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const [color, errColor] = [mayColor && hasOutput, mayColor && hasErrors];
  return {
    out: (text) => write(1, gated(text, color), unread),
    err: (text) => write(2, gated(text, errColor), unread),
    clear: () => write(1, "\u001b[H\u001b[2J", unread),
    ...(hasInput && {
      ask: async (question: string) => {
        write(1, gated(`${question.trimEnd()} `, color), unread);
        const line = await readLine();
        if (line === undefined) write(1, "\n", unread);
        return line;
      },
    }),
    style: styleWith(color),
    errStyle: styleWith(errColor),
    width: Number(env["COLUMNS"]) || (hasOutput ? (columnsOfOutput() ?? 80) : Infinity),
    isTty: hasOutput,
    errIsTty: hasErrors,
    color,
    env,
    cwd,
  };
}

/** Not with `prompt`: that tells the end of the input no different from Enter. */
async function readLine(): Promise<string | undefined> {
  const [bytes, next] = [[] as number[], new Uint8Array(1)];
  for (;;) {
    const count = readNext(next);
    // Somebody has made the terminal one that does not wait.
    if (count === undefined) await Bun.sleep(20);
    else if (count === 0 && bytes.length === 0) return undefined;
    else if (count === 0 || next[0] === 10) return new TextDecoder().decode(new Uint8Array(bytes));
    else bytes.push(next[0] ?? 0);
  }
}

function readNext(into: Uint8Array): number | undefined {
  try {
    return readSync(0, into);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    // The terminal is gone.
    return 0;
  }
}

/** The colour that goes with the mark at the beginning of a sentence. */
export function colourOf(sentence: string, style: Style): (text: string) => string {
  if (sentence.startsWith("✓")) return style.green;
  return sentence.startsWith("✗") ? style.red : style.yellow;
}

function styleWith(color: boolean): Style {
  const paint = (code: number) => (text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33), cyan: paint(36) };
}

/** The last gate: what a command forgot to make safe cannot steer the terminal either. */
function gated(text: string, color: boolean): string {
  const unsafe = color
    ? /(?!\x1b\[(?:0|1|2|31|32|33|36)m)[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
    : /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  return text.replace(unsafe, "\ufffd");
}

/** A reader that went away (`parley log | head`) is no error; a slow one is waited for. */
function write(fd: number, text: string, unread: number): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit(unread);
      if (code !== "EAGAIN") throw error;
      Bun.sleepSync(1);
    }
  }
}
