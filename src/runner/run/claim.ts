import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { nameProcess, type ProcessName } from "../../machine/process/process.ts";
import type { RunFolder } from "./run-folder.ts";

/** `revoked`: nobody came in time, and nobody may come any more. */
export type Claim = { revoked?: boolean } & Partial<ProcessName>;

/**
 * Who may run this, decided once and for all: a supervisor, or nobody any more.
 * Contract: of all that try one wins; its claim is on disk, whole, before it goes on.
 */
export function takeClaim(folder: RunFolder, claim: Claim = nameProcess(process.pid)): boolean {
  return withDraft(folder, claim, (mine) => {
    try {
      linkSync(mine, folder.supervisor);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    }
  });
}

/** Contract: throws while no claim can be written, as on a full disk; takes none. */
export function tryClaim(folder: RunFolder): void {
  withDraft(folder, {}, () => undefined);
}

function withDraft<T>(folder: RunFolder, claim: Claim, use: (mine: string) => T): T {
  const mine = `${folder.supervisor}.${crypto.randomUUID()}`;
  try {
    const file = openSync(mine, "wx", 0o600);
    try {
      writeSync(file, JSON.stringify(claim));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return use(mine);
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Contract: true when no supervisor has this run, nor will have it. */
export function revokeRun(folder: RunFolder): boolean {
  return takeClaim(folder, { revoked: true }) || claimOf(folder)?.revoked === true;
}

/** Undefined: nobody has claimed it. One that cannot be read names no process. */
export function claimOf(folder: RunFolder): Claim | undefined {
  try {
    const text = readFileSync(folder.supervisor, "utf8");
    return text === "" ? {} : (JSON.parse(text) as Claim);
  } catch (error) {
    // ENOTDIR: a file stands where its folder would be.
    return /^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "") ? undefined : {};
  }
}

export function supervisorOf(folder: RunFolder): ProcessName | undefined {
  const { pid, started } = claimOf(folder) ?? {};
  return pid === undefined ? undefined : { pid, started };
}
