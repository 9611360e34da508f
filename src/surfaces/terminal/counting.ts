import { ParleyError } from "../../core/error.ts";

/** The number behind an option. */
export function countIn(option: string, text: string, [least, most]: readonly [number, number]): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new ParleyError("usage", `${option}: expected a whole number from ${least} to ${most}, not "${text}"`);
}
