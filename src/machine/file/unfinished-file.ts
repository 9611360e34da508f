import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { isAlive, nameProcess } from "../process/process.ts";

const NAME = /^\..+\.([^.]+)\.(\d+)-(\w*)\.unfinished(-journal|-wal|-shm)?$/;

/** Beside the file it becomes, named for the process that writes it: when that is gone, nobody needs it any more. */
export function unfinishedName(file: string): string {
  const { pid, started = "" } = nameProcess(process.pid);
  return join(dirname(file), `.${basename(file)}.${machine()}.${pid}-${started.replaceAll(/\W/g, "")}.unfinished`);
}

/** Removes what killed processes of this machine left in the folder. */
export function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, where, pid, started] = NAME.exec(name) ?? [];
    if (where !== machine() || isThere(Number(pid), started ?? "")) continue;
    rmSync(join(folder, name), { force: true });
  }
}

function isThere(pid: number, started: string): boolean {
  return isAlive({ pid }) && (nameProcess(pid).started ?? "").replaceAll(/\W/g, "") === started;
}

/** A folder may be shared with others, whose processes are not to be seen from here. */
const machine = () => hostname().replaceAll(/[^\w-]/g, "_");
