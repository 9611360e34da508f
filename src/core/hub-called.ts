import { ParleyError } from "./error.ts";
import { safeLine, truncate } from "./text/text.ts";

const LONGEST = 80;

/** Somebody's name as it was typed, on one line. One that is too long is refused: cut off, two people would be one. */
export function calledAs(typed: string): string {
  const name = safeLine(typed);
  if (truncate(name, LONGEST) === name) return name;
  throw new ParleyError("usage", `A name has at most ${LONGEST} characters: ${truncate(name, 30)}`);
}
