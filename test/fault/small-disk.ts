import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../src/core/error.ts";
import { createProgram, holds, type Program } from "../e2e/program.ts";

export type SmallDisk = {
  program: Program;
  /** Until nothing more goes onto it. */
  fill(): void;
  makeRoom(): void;
  /** Waits until nobody has a file open for writing. */
  setReadOnly(is: boolean): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Why there can be none here; undefined when there can. A file system of one's own is for root only. */
export function noSmallDisk(): string | undefined {
  if (process.platform !== "linux") return "tmpfs is Linux's";
  return process.getuid?.() === 0 ? undefined : "only root can mount a file system";
}

/** A program whose home is a file system of two megabytes (tmpfs). */
export function openSmallDisk(): SmallDisk {
  const program = createProgram();
  const { home } = program;
  const filler = join(home, "filler");
  mkdirSync(home);
  run("mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", home);
  return {
    program,
    fill() {
      const file = openSync(filler, "a");
      try {
        // Byte by byte in the end: a page that is half free would take another event.
        for (const size of [65_536, 4096, 1]) while (isWritten(file, size));
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    async setReadOnly(is) {
      const remount = ["mount", "-o", `remount,${is ? "ro" : "rw"}`, home];
      if (!(await holds(() => Bun.spawnSync(remount).exitCode === 0))) run(...remount);
    },
    async [Symbol.asyncDispose]() {
      // Of a test that failed while it could not be written.
      Bun.spawnSync(["mount", "-o", "remount,rw", home]);
      rmSync(filler, { force: true });
      await program.kill9();
      // Lazily: a hook of a test that failed may have started the next daemon already.
      run("umount", "--lazy", home);
      await program.dispose();
    },
  };
}

/** The room inside the files there are is used up too: until that is gone, Parley writes on. */
export async function exhaust(program: Program, fill: () => void): Promise<void> {
  const options = ["Yes", "No"].map((label) => ({ label, description: "x".repeat(200) }));
  const body = { questions: [{ question: "Now?", header: "Now", multiSelect: false, options }] };
  const ask = () =>
    program
      .client("agent")
      .call("createAsk", { body })
      .then(
        () => false,
        (error: unknown) => error instanceof ParleyError && error.code === "not_written",
      );
  const asks = () => Promise.all(Array.from({ length: 10 }, ask));
  const refused = await holds(async () => (fill(), (await asks()).every(Boolean)));
  if (!refused) throw new Error("the disk does not get full");
}

function isWritten(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size)) === size;
  } catch {
    return false;
  }
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}
