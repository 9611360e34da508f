import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** Contract: whoever looks in another process sees all of it, or what was there before. */
export function writeWhole(path: string, text: string): void {
  const aside = `${path}.${process.pid}.new`;
  writeFileSync(aside, text);
  renameSync(aside, path);
}

/** Contract: what another process has only begun to write, or was killed in, is no line. */
export function wholeLines(path: string): string[] {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return text.split("\n").slice(0, -1).filter(Boolean);
}
