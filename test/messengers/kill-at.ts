import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "bun:test";
import { question } from "../e2e/api-request.ts";
import type { Program } from "../e2e/program.ts";

type Service = {
  whenCalled(heard: (method: string) => Promise<void>): void;
  fault(method: string, how: "cut-before"): void;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The daemon dies in the moment in which the service hears this; `done`: the service did it all the same. */
export function killAt(program: Program, service: Service, method: string, done: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  service.whenCalled(async (called) => {
    if (called !== method || isOver) return;
    isOver = true;
    if (!done) service.fault(method, "cut-before");
    await program.kill9();
    resolve();
  });
  return promise;
}

/** Everything is told at once, and by this messenger alone. `more`: keys of `notify`. */
export function writeSettings(program: Program, messenger: string, more = ""): void {
  const file = join(program.user, ".config/parley/config.toml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `[notify]\nafter_seconds = 0\n${more}\n[notify.desktop]\nenabled = false\n${messenger}`);
}

/** A file with a token, for its person alone. */
export function tokenFile(program: Program, name: string, token: string): string {
  const path = join(program.user, name);
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return path;
}

export const askIn = (program: Program) =>
  program.client("agent").call("createAsk", { body: { questions: [question()], origin: { project: "shop" } } });

/** It all ends; no secret was in the log. */
export async function endWithout(program: Program, service: Service, secrets: readonly string[]): Promise<void> {
  const log = readFileSync(program.paths.log, "utf8");
  await program.dispose();
  await service[Symbol.asyncDispose]();
  for (const secret of secrets) expect(log).not.toContain(secret);
}
