import { safeLine } from "../../../core/text/text.ts";
import { colourOf, type Terminal } from "../../terminal/terminal.ts";
import { jsonLine } from "../json.ts";
import type { Settled } from "./settle-ask.ts";
import { mismatchLines } from "./tell-mismatches.ts";

/** Says what became of an Ask, and answers the exit code. */
export function tellSettled(
  { ask, sentence, code, told = [] }: Settled,
  json: boolean,
  terminal: Terminal,
  more: object = {},
): number {
  const result = safeLine(sentence, { max: 500 });
  const mismatches = told.length === 0 ? {} : { mismatches: told };
  terminal.out(
    json ? jsonLine({ ...ask, result, ...mismatches, ...more }) : `${colourOf(result, terminal.style)(result)}\n`,
  );
  if (!json) for (const text of told) terminal.err(`\n${mismatchLines(text)}`);
  return code;
}
