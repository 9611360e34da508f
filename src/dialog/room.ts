export type Size = { columns: number; rows: number };
export type Room = { width: number; height: number };

export const INDENT = "  ";

/** Lines longer than this are hard to read, however wide the terminal is. */
const MAX_WIDTH = 120;

export function dialogWidth(columns: number): number {
  return Math.max(8, Math.min(columns, MAX_WIDTH));
}

export function innerWidth(columns: number): number {
  return dialogWidth(columns) - 2 * INDENT.length;
}
