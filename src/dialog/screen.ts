import { CURSOR_MARKER, type Terminal, visibleWidth } from "@earendil-works/pi-tui";

export type Screen = {
  enter(): void;
  /** Draws at once; only lines that changed are sent. */
  paint(lines: readonly string[]): void;
  /** Shows what the terminal held before, with `line` below it. */
  stepAside(line: string): void;
  leave(): void;
};

const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/** The alternate screen: what was there before comes back untouched. Contract: enter and leave may be called again. */
export function createScreen(terminal: Terminal): Screen {
  let shown: string[] = [];
  let size = "";
  let state: "out" | "in" | "aside" = "out";

  return {
    enter() {
      if (state === "in") return;
      const back = state === "aside" ? "\r\x1b[2K\x1b[1A" : "";
      terminal.write(`${back}\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[2J`);
      [shown, size, state] = [[], "", "in"];
    },
    paint(lines) {
      if (state !== "in") return;
      const now = `${terminal.columns}x${terminal.rows}`;
      const clear = now === size ? "" : "\x1b[2J";
      if (clear) [shown, size] = [[], now];
      const next = lines.slice(0, terminal.rows).map((line) => `${line}\x1b[0m`);
      const rows = Math.max(next.length, shown.length);
      const changed = Array.from({ length: rows }, (_, i) => i).filter((i) => next[i] !== shown[i]);
      const drawn = changed.map((i) => `\x1b[${i + 1};1H\x1b[2K${(next[i] ?? "").replace(CURSOR_MARKER, "")}`);
      terminal.write(`${BEGIN}${clear}${drawn.join("")}${cursorAt(next)}${END}`);
      shown = next;
    },
    stepAside(line) {
      if (state !== "in") return;
      terminal.write(`\x1b[?7h\x1b[?1049l\r\n${line}\x1b[0m`);
      state = "aside";
    },
    leave() {
      if (state === "in") terminal.write("\x1b[0m\x1b[?7h\x1b[?1049l\x1b[?25h");
      if (state === "aside") terminal.write("\r\x1b[2K\x1b[1A\x1b[?25h");
      state = "out";
    },
  };
}

/** Hidden, but where an input method puts its window. */
function cursorAt(lines: readonly string[]): string {
  const row = lines.findIndex((line) => line.includes(CURSOR_MARKER));
  if (row === -1) return "";
  const before = lines[row]?.split(CURSOR_MARKER)[0] ?? "";
  return `\x1b[${row + 1};${visibleWidth(before) + 1}H`;
}
