import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { Way } from "./network.ts";

/** The first program in a sandbox whose network is named: it opens the ways out, then runs the agent until that ends. */
export async function runInside([ways = "", ...command]: readonly string[]): Promise<number> {
  for (const way of JSON.parse(readFileSync(ways, "utf8")) as Way[]) await open(way);
  const child = Bun.spawn([...command], { stdio: ["inherit", "inherit", "inherit"] });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return child.exited;
}

function open({ port, socket }: Way): Promise<void> {
  const server = createServer((taken) => {
    const out = connect(socket);
    for (const [one, other] of [
      [taken, out],
      [out, taken],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
