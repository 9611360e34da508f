import { compositeTuiLine, visibleWidth } from "@earendil-works/pi-tui";
import { createKeyReader } from "../../../dialog/keys.ts";
import type { Mouse } from "../../../dialog/mouse.ts";
import type { Theme } from "../../../dialog/theme.ts";
import { cells } from "./cells.ts";
import { GUARD_MS } from "../cursor.ts";
import { BINDINGS } from "../keys.ts";
import { TASK_KEYS } from "../task-keys.ts";

/** Lines that one key goes further. */
const PAGE = 10;
export type Size = { columns: number; rows: number };
/** Stands over the inbox and takes every key while it does. */
export type Box = {
  render(size: Size): string[];
  handleInput(data: string): void;
  /** Line 0 is the first one of the box. */
  point(mouse: Mouse): void;
};

/** Where the box stands: in the middle of the screen. */
export function placeOf(box: readonly string[], { columns, rows }: Size) {
  const width = Math.min(columns, Math.max(...box.map(visibleWidth)));
  return { top: Math.max(0, Math.floor((rows - box.length) / 2)), left: Math.floor((columns - width) / 2), width };
}

export function over(screen: readonly string[], box: readonly string[], size: Size): string[] {
  const { columns } = size;
  const { top, left, width } = placeOf(box, size);
  return screen.map((line, i) => {
    const above = box[i - top];
    return above === undefined ? line : compositeTuiLine(line, cells(above, width), left, width, columns);
  });
}

export function framed(title: string, lines: readonly string[], theme: Theme, { columns, rows }: Size): string[] {
  const width = Math.min(columns, Math.max(visibleWidth(title) + 6, ...lines.map((line) => visibleWidth(line) + 4)));
  const inner = width - 4;
  const side = theme.border("│");
  const head = `${theme.border("╭─")} ${theme.title(title)} ${theme.border(`${"─".repeat(Math.max(0, width - visibleWidth(title) - 5))}╮`)}`;
  const body = lines.slice(0, rows - 2).map((line) => `${side} ${cells(line, inner)} ${side}`);
  return [head, ...body, theme.border(`╰${"─".repeat(width - 2)}╯`)];
}

export function createHelp(theme: Theme, isHub: boolean, close: () => void): Box {
  const onTasks = {
    keys: TASK_KEYS.map(({ key }) => key).join(" "),
    help: `a task: ${TASK_KEYS.map(({ words }) => words).join(", ")}`,
  };
  const shown = BINDINGS.flatMap(({ shown: keys, help = "", hub = help }) => {
    const words = isHub ? hub : help;
    return keys && words ? [{ keys, help: words }] : [];
  });
  if (!isHub) shown.push(onTasks);
  const longest = Math.max(...shown.map(({ keys }) => visibleWidth(keys)));
  const lines = shown.map(({ keys, help }) => `${theme.accent(cells(keys, longest))}  ${help}`);
  return createPager(theme, { title: "Keys", lines, hint: "any other key closes", press: close });
}

type Confirmation = {
  title: string;
  lines: readonly string[];
  /** Undefined: there is nothing to confirm. */
  confirm?: () => void;
  close: () => void;
  now: () => number;
};

export function createConfirmation(theme: Theme, { title, lines, confirm, close, now }: Confirmation): Box {
  const appeared = now();
  const hint = confirm ? "Enter or y: do it   Esc or n: leave it" : "any other key closes";
  return createPager(theme, { title, lines, hint, press });

  function press(key: string): void {
    if (now() - appeared < GUARD_MS) return;
    close();
    if (key === "enter" || key === "y") confirm?.();
  }
}

type Pager = { title: string; lines: readonly string[]; hint: string; press: (key: string) => void };

/** Lines that may be more than there is room for; nothing in them is left unseen. */
export function createPager(theme: Theme, { title, lines, hint, press }: Pager): Box {
  let top = 0;
  const read = createKeyReader();
  return {
    render(size) {
      const height = Math.max(1, size.rows - 4);
      const last = Math.max(0, lines.length - height);
      top = Math.min(top, last);
      const more = last === 0 ? hint : `↑↓: ${top + 1}-${top + height} of ${lines.length}   ${hint}`;
      return framed(title, [...lines.slice(top, top + height), "", theme.muted(more)], theme, size);
    },
    point(mouse) {
      if (mouse.type === "wheel") top = Math.max(0, top + mouse.by);
    },
    handleInput(data) {
      for (const pressed of read(data)) {
        const key = pressed.type === "key" ? pressed.name : "";
        if (key === "pageDown" || key === "space") top += PAGE;
        else if (key === "pageUp") top = Math.max(0, top - PAGE);
        else if (key === "down" || key === "j") top++;
        else if (key === "up" || key === "k") top = Math.max(0, top - 1);
        else if (key !== "") press(key);
      }
    },
  };
}
