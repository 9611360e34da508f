import { statSync } from "node:fs";

/** Whether the path still leads to the file that it led to now. Only for one that is kept open: its number is given to no other. */
export function createSameFile(path: string): () => boolean {
  const number = () => statSync(path, { throwIfNoEntry: false })?.ino;
  const first = number();
  return () => number() === first;
}
