import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { request } from "../e2e/api-request.ts";
import { createProgram, type Program } from "../e2e/program.ts";

/** Twelve times what an idle daemon has; what one mebibyte of anything must not make of it. */
const MOST_MEMORY = 640 * 1024 * 1024;
export type Target = {
  program: Program;
  /** Contract: the daemon is the one that was started, answers, is not fat, has a sound store and logged no failure. */
  stands(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A real daemon that is about to be ill-treated. */
export async function createTarget(): Promise<Target> {
  const program = createProgram();
  await program.start();
  const { pid } = program.registration().process;
  return {
    program,
    async stands() {
      const health = await request(program, "socket", "GET /health");
      expect([health.status, health.body["pid"]]).toEqual([200, pid]);
      expect(mostMemoryOf(pid)).toBeLessThan(MOST_MEMORY);
      const db = new Database(program.paths.database, { readonly: true });
      const found = db.query("PRAGMA integrity_check").all();
      db.close();
      expect(found).toEqual([{ integrity_check: "ok" }]);
      const log = await Bun.file(program.paths.log).text();
      expect(log.split("\n").filter((line) => line.includes('"level":"error"'))).toEqual([]);
    },
    [Symbol.asyncDispose]: () => program.dispose(),
  };
}

/** The most it ever had, where the system says so. */
function mostMemoryOf(pid: number): number {
  if (process.platform !== "linux") return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
