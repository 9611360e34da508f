/** Places count from 0, from the upper left corner of whatever is asked about them. */
export type Mouse = { line: number; column: number } & ({ type: "click" } | { type: "wheel"; by: 1 | -1 });

/** Buttons and wheel, with places beyond column 223. Not the movements: selecting text with Shift stays the terminal's. */
export const MOUSE_ON = "\x1b[?1000h\x1b[?1006h";
export const MOUSE_OFF = "\x1b[?1006l\x1b[?1000l";

export const isMouse = (data: string): boolean => data.startsWith("\x1b[<");

/** Undefined: nothing that means anything here, such as a button let go. */
export function readMouse(data: string): Mouse | undefined {
  const [, code = "", x = "", y = "", end] = /^\x1b\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])$/.exec(data) ?? [];
  const place = { line: Number(y) - 1, column: Number(x) - 1 };
  if (end !== "M" || place.line < 0 || place.column < 0) return undefined;
  if (code === "0") return { type: "click", ...place };
  if (code === "64") return { type: "wheel", by: -1, ...place };
  return code === "65" ? { type: "wheel", by: 1, ...place } : undefined;
}
