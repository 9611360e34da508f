import { statSync } from "node:fs";

/** Nothing of ours is at the end of such a path. Any other failure says nothing about the file. */
const NOT_THERE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** Whether the path still leads to the file that it led to now. Only for one that is kept open: its number is given to no other. */
export function createSameFile(path: string): () => boolean {
  const first = statSync(path, { throwIfNoEntry: false })?.ino;
  return () => {
    try {
      return statSync(path).ino === first;
    } catch (error) {
      return !NOT_THERE.has((error as NodeJS.ErrnoException).code);
    }
  };
}
