import { writeSync } from "node:fs";

export type Style = Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", (text: string) => string>;
/** What a command needs of the world; `out` and `err` take whole lines. */
export type Terminal = {
  out(text: string): void;
  err(text: string): void;
  ask?(prompt: string): Promise<string>;
  style: Style;
  width: number;
  isTty: boolean;
  color: boolean;
  env: Record<string, string | undefined>;
  cwd: string;
};

export function thisTerminal(env: Record<string, string | undefined>, cwd: string): Terminal {
  const isTty = isTerminal(1);
  const color = isTty && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const paint = (code: number) => (text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    ...(isTerminal(0) && { ask: async (question: string) => prompt(question.trimEnd()) ?? "" }),
    style: { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33), cyan: paint(36) },
    width: Number(env["COLUMNS"]) || (isTty ? process.stdout.columns || 80 : 120),
    isTty,
    color,
    env,
    cwd,
  };
}

function isTerminal(fd: number): boolean {
  return fd === 0 ? process.stdin.isTTY : process.stdout.isTTY;
}

/** A reader that went away (`parley log | head`) is no error; a slow one is waited for. */
function write(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      Bun.sleepSync(1);
    }
  }
}
