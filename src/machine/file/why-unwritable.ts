import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";

const WORDS: Record<string, string> = {
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "its file system is read-only",
  ELOOP: "its links lead in a circle",
};

/** Why a folder can be neither written nor, where it is not there yet, made; undefined when it can. Writes nothing. */
export function whyUnwritable(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const above = dirname(folder);
    if ((code === "ENOENT" || code === "ENOTDIR") && above !== folder) return whyUnwritable(above);
    return `${folder} cannot be written: ${WORDS[code] ?? code}`;
  }
}
