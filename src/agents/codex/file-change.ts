import { asRecord } from "../../core/record.ts";

/** What codex would change in files. `patch` in its own form: `*** Add File: …`. */
export type FileChange = { files: string[]; patch: string; added: number; removed: number };

const PATCH = /\*\*\* Begin Patch\n[\s\S]*?\*\*\* End Patch/;
const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** In what a call was given: a patch for the shell, or for the tool that is there for it. Undefined: there is none. */
export function patchOf(call: unknown): FileChange | undefined {
  const input = asRecord(call);
  const texts = ["cmd", "input", "patch"].map((field) => input?.[field]).filter((text) => typeof text === "string");
  const [patch] = texts.flatMap((text) => PATCH.exec(text)?.[0] ?? []);
  if (patch === undefined) return undefined;
  const lines = patch.split("\n");
  return {
    files: [...patch.matchAll(FILE)].map((found) => found[1] ?? ""),
    patch,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
