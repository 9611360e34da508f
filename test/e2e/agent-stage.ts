import { join } from "node:path";
import { createLineCutter } from "../../src/machine/file/lines.ts";
import type { Done, Order } from "./inside-agent.ts";
import { BUN, type Program } from "./program.ts";

export type StandIn = { session: string; pid: number; does(order: Order): Promise<Done>; ends(): Promise<void> };

/** A process that is an agent's session to Parley: known by its hook alone, no variable says so to what it starts. */
export function startAgent(program: Program, session: string, env: Record<string, string> = {}): StandIn {
  const child = Bun.spawn([BUN, join(import.meta.dir, "inside-agent.ts"), session], {
    cwd: program.user,
    env: { PATH: process.env["PATH"] ?? "", HOME: program.user, LANG: "C.UTF-8", PARLEY_HOME: program.home, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting: ((done: Done) => void)[] = [];
  const lines = createLineCutter((line) => waiting.shift()?.(JSON.parse(line.toString("utf8")) as Done));
  void (async () => {
    for await (const chunk of child.stdout) lines.write(Buffer.from(chunk));
  })();
  return {
    session,
    pid: child.pid,
    does(order) {
      const { promise, resolve } = Promise.withResolvers<Done>();
      waiting.push(resolve);
      void child.stdin.write(`${JSON.stringify(order)}\n`);
      void child.stdin.flush();
      return promise;
    },
    async ends() {
      void child.stdin.end();
      await child.exited;
    },
  };
}
