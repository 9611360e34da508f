import type { ConfigProblem } from "../config/view.ts";

/** `file:line:column: message`, as editors and terminals understand it. */
export function problemLine({ file, line, column, message }: ConfigProblem): string {
  return `${file}${line === undefined ? "" : `:${line}`}${column === undefined ? "" : `:${column}`}: ${message}`;
}
