import { renameSync, rmSync, writeFileSync } from "node:fs";

/** A short list that outlives the daemon. Contract: a reader sees the old one or the new one; when it throws, the old one. */
export function keepList(file: string, list: readonly unknown[]): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(list), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
}
