import { Terminal as Xterm } from "@xterm/headless";
import type { Origin } from "../../src/core/ask/ask.ts";
import { COMMAND, holds, type Program, UNTIL_STARTED } from "../e2e/program.ts";
import { guardOver } from "../patience.ts";

export type Opened = ReturnType<typeof onScreen>;
type Options = { columns?: number; rows?: number; env?: Record<string, string>; args?: string[]; command?: string[] };

/** The real program on a pseudo-terminal, read through a terminal that really interprets escape codes. */
export function onScreen(program: Program, options: Options = {}) {
  const { columns = 100, rows = 30, env = {}, args = [], command = [...COMMAND, ...args] } = options;
  const xterm = new Xterm({ cols: columns, rows, allowProposedApi: true });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  let raw = "";
  const child = Bun.spawn(command, {
    cwd: program.user,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: program.user,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      PARLEY_HOME: program.home,
      PARLEY_PORT: "0",
      PARLEY_CONFIG: "/dev/null",
      ...UNTIL_STARTED,
      ...env,
    },
    terminal: {
      cols: columns,
      rows,
      data(_, bytes) {
        raw += Buffer.from(bytes).toString("latin1");
        xterm.write(bytes);
      },
      exit: () => resolve(),
    },
  });

  async function screen(): Promise<string> {
    await new Promise<void>((done) => xterm.write("", done));
    const { active } = xterm.buffer;
    const lines = Array.from({ length: xterm.rows }, (_, i) => active.getLine(active.viewportY + i));
    return lines.map((line) => line?.translateToString(true) ?? "").join("\n");
  }

  return {
    child,
    screen,
    /** All bytes that reached the terminal. */
    raw: () => raw,
    press: (keys: string) => void child.terminal?.write(keys),
    /** Waits until the screen shows it. */
    async shows(wanted: string | RegExp): Promise<string> {
      let last = "";
      const found = await holds(async () => {
        last = await screen();
        // A frame comes in pieces: what is half drawn is not looked at.
        if (raw.lastIndexOf("\x1b[?2026h") > raw.lastIndexOf("\x1b[?2026l")) return false;
        return typeof wanted === "string" ? last.includes(wanted) : wanted.test(last);
      });
      if (!found) throw new Error(`${wanted} does not come; it shows:\n${last}`);
      return last;
    },
    resize(to: { columns: number; rows: number }): void {
      xterm.resize(to.columns, to.rows);
      child.terminal?.resize(to.columns, to.rows);
    },
    async ended(): Promise<{ code: number; screen: string }> {
      const code = await child.exited;
      await closed;
      return { code, screen: await screen() };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

type Asked = { text: string; options?: string[]; header?: string; origin?: Partial<Origin>; multiSelect?: boolean };

/** A question made through the API, as an agent would. */
export function ask(program: Program, { text, options = ["Yes", "No"], header = "Pick", origin, multiSelect }: Asked) {
  const question = {
    question: text,
    header,
    multiSelect: multiSelect ?? false,
    options: options.map((label) => ({ label, description: `about ${label}` })),
  };
  const from = { agent: "claude-code", project: "shop", ...origin };
  return program.client("agent").call("createAsk", { body: { questions: [question], origin: from } });
}

export { guardOver };
