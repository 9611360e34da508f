import type { Style } from "./terminal.ts";

/** How git paints a line of a patch. */
export function patchColour(line: string, style: Style): (text: string) => string {
  if (/^(diff |index |\+\+\+ |--- |new file|deleted file|similarity|rename )/.test(line)) return style.bold;
  if (line.startsWith("@@")) return style.cyan;
  if (line.startsWith("+")) return style.green;
  return line.startsWith("-") ? style.red : (text) => text;
}
