import type { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { hang } from "../terminal/columns.ts";
import { counted } from "../../core/words/number.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Several problems are listed one a line; a single one is the message itself. */
export function errorWords({ message, problems }: ParleyError, { errStyle, width }: Terminal): string {
  const mark = `${errStyle.red("✗")} `;
  if (problems.length < 2) return `${hang(mark, safeLine(message, { max: 600 }), width).join("\n")}\n`;
  const lines = problems.flatMap(({ field, message: what }) =>
    hang(`  ${safeLine(field, { max: 60 })}: `, safeLine(what, { max: 400 }), width),
  );
  return `${[`${mark}${counted(problems.length, "problem")}`, ...lines].join("\n")}\n`;
}
