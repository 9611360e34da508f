import type { GrantView } from "../../../protocol/grant.ts";
import { hang } from "../../terminal/columns.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** What a grant matches, line by line. */
export function grantText(
  { lines }: Pick<GrantView, "lines">,
  { style, width }: Pick<Terminal, "style" | "width">,
): string {
  const wide = Math.max(...lines.map(([name]) => name.length));
  return lines
    .flatMap(([name, text], i) =>
      hang(`  ${name.padEnd(wide)}  `, text, width).map((line) => (i === 0 ? style.bold(line) : line)),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** Shown before it counts. Contract: true only when a person at the terminal, or --yes, says so. */
export async function isWanted(
  shown: Pick<GrantView, "lines">,
  question: string,
  yes: boolean,
  terminal: Terminal,
): Promise<boolean> {
  terminal.out(grantText(shown, terminal));
  if (yes) return true;
  if (!terminal.isTty || !terminal.ask) return false;
  return /^y(es)?$/i.test((await terminal.ask(`${question} [y/N] `))?.trim() ?? "");
}

export const NEEDS_YES = "Nothing was granted. To give it without being asked: --yes\n";
