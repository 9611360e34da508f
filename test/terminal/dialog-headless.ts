import { Terminal as Xterm } from "@xterm/headless";
import type { Terminal } from "@earendil-works/pi-tui";
import { Question } from "../../src/core/ask/question.ts";
import { createDialog, type DialogEnd, type DialogOptions } from "../../src/dialog/dialog.ts";
import { createScreen } from "../../src/dialog/screen.ts";
import { themeFor } from "../../src/dialog/theme.ts";

export const KEY = {
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  enter: "\r",
  escape: "\x1b",
  space: " ",
  tab: "\t",
  backTab: "\x1b[Z",
  pageUp: "\x1b[5~",
  pageDown: "\x1b[6~",
  shiftDown: "\x1b[1;2B",
  shiftEnter: "\x1b[13;2u",
  altEnter: "\x1b\r",
  ctrlC: "\x03",
  ctrlJ: "\n",
  ctrlO: "\x0f",
  backspace: "\x7f",
} as const;
export const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

type Options = Partial<Omit<DialogOptions, "questions">> & { columns?: number; rows?: number; age?: number };

/** The dialog drawn into a terminal that really interprets escape codes, with a clock of its own. */
export function mount(questions: readonly object[], { columns = 80, rows = 24, age = 1000, ...options }: Options = {}) {
  const screen = new Xterm({ cols: columns, rows, allowProposedApi: true });
  const written: string[] = [];
  const terminal = {
    get columns() {
      return screen.cols;
    },
    get rows() {
      return screen.rows;
    },
    write(data: string) {
      written.push(data);
      screen.write(data);
    },
  } as Terminal;
  const painter = createScreen(terminal);
  const ends: DialogEnd[] = [];
  let now = 5_000;
  const dialog = createDialog({
    questions: Question.array().parse(questions),
    theme: themeFor({ color: true, scheme: "dark" }),
    size: () => ({ columns: screen.cols, rows: screen.rows }),
    now: () => now,
    repaint: paint,
    onEnd: (end) => ends.push(end),
    ...options,
  });
  painter.enter();
  paint();
  now += age;

  function paint() {
    painter.paint(dialog.render(screen.cols));
  }

  return {
    dialog,
    ends,
    written,
    paint,
    press(...keys: readonly string[]) {
      for (const key of keys) dialog.handleInput(key);
    },
    /** Characters as a keyboard sends them: one by one, in UTF-16 units. */
    type(text: string) {
      for (const unit of text.split("")) dialog.handleInput(unit);
    },
    wait: (ms: number) => void (now += ms),
    resize(wide: number, high: number) {
      screen.resize(wide, high);
      paint();
    },
    /** What a person sees. */
    async screen(): Promise<string> {
      await settled(screen);
      const { active } = screen.buffer;
      const lines = Array.from({ length: screen.rows }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
      return lines.join("\n").trimEnd();
    },
    /** The colour, from the 256, in which the first letter of `text` is drawn; -1 is the terminal's own. */
    async colorOf(text: string): Promise<number> {
      await settled(screen);
      const { active } = screen.buffer;
      for (let y = 0; y < screen.rows; y++) {
        const x = active.getLine(y)?.translateToString().indexOf(text) ?? -1;
        if (x >= 0) return active.getLine(y)?.getCell(x)?.getFgColor() ?? -1;
      }
      throw new Error(`${text} is not on the screen`);
    },
  };
}

function settled(screen: Xterm): Promise<void> {
  return new Promise((done) => screen.write("", done));
}

const option = (label: string, description = `About ${label}`) => ({ label, description });
export const STORE = {
  header: "Store",
  text: "Which store should it use?",
  options: [option("SQLite"), option("Postgres"), option("Files, one each")],
};
export const FEATURES = {
  header: "Features",
  text: "Which features do you want?",
  multiSelect: true,
  options: [option("Auth"), option("Search, full text"), option("Export")],
};
export const NAME = { header: "Name", text: "What is it called?", options: [] };
