import { renameSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import type { Program } from "../e2e/program.ts";
import { PATIENCE_MS } from "../../src/lab/poll.ts";

/** `request`: before the daemon hears of it. `reply`: when the daemon has done it and answered, before the caller hears. */
export type Part = "request" | "reply";
export type Gate = {
  /** The next message that fits goes no further; resolves when it has come. */
  stop(part: Part, fits: (request: string) => boolean): Promise<Stopped>;
  /** Ends the daemon, with SIGKILL unless another is named; callers see what the kernel would show them. */
  kill(signal?: "SIGKILL" | "SIGTERM"): Promise<void>;
};
export type Stopped = { pass(): void };
type Trap = { part: Part; fits: (request: string) => boolean; caught: (stopped: Stopped) => void };

/**
 * Stands on the daemon's socket and can stop any message on its way. The next daemon makes a socket of its own, so a
 * gate ends with its daemon.
 */
export async function openGate(program: Program): Promise<Gate> {
  const { socket } = program.paths;
  const behind = `${socket}.behind`;
  renameSync(socket, behind);
  const traps = new Set<Trap>();
  const callers = new Set<Socket>();
  const server = createServer((caller) => {
    callers.add(caller);
    join(caller, connect({ path: behind }), trapFor);
    caller.on("close", () => callers.delete(caller));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));

  function trapFor(part: Part, request: string): Trap | undefined {
    const trap = [...traps].find((set) => set.part === part && set.fits(request));
    if (trap) traps.delete(trap);
    return trap;
  }

  return {
    stop(part, fits) {
      const { promise, resolve: caught, reject } = Promise.withResolvers<Stopped>();
      traps.add({ part, fits, caught });
      const timer = setTimeout(() => reject(new Error(`no such ${part} came`)), PATIENCE_MS);
      return promise.finally(() => clearTimeout(timer));
    },
    async kill(signal = "SIGKILL") {
      // First, because closing removes the path, and the next daemon will have its socket there.
      server.close();
      await (signal === "SIGKILL" ? program.kill9() : program.terminate());
      for (const caller of callers) caller.destroy();
    },
  };
}

function join(caller: Socket, daemon: Socket, trapFor: (part: Part, request: string) => Trap | undefined): void {
  let unread = Buffer.alloc(0);
  let request = "";
  let held: Buffer[] | undefined;
  caller.on("data", (bytes: Buffer) => {
    unread = Buffer.concat([unread, bytes]);
    for (let whole = firstRequest(unread); whole; whole = firstRequest(unread)) {
      unread = unread.subarray(whole.length);
      request = whole.toString();
      send(whole);
    }
  });
  daemon.on("data", (bytes: Buffer) => {
    const trap = held ? undefined : trapFor("reply", request);
    if (trap) {
      const kept: Buffer[] = (held = []);
      trap.caught({
        pass() {
          for (const part of kept) caller.write(part);
          held = undefined;
        },
      });
    }
    if (held) held.push(bytes);
    else caller.write(bytes);
  });
  for (const [one, other] of [
    [caller, daemon],
    [daemon, caller],
  ] as const) {
    one.on("close", () => other.destroy());
    one.on("error", () => other.destroy());
  }

  function send(whole: Buffer): void {
    const trap = trapFor("request", request);
    if (trap) trap.caught({ pass: () => void daemon.write(whole) });
    else daemon.write(whole);
  }
}

/** Nobody here sends chunks, and one request follows the other. */
function firstRequest(bytes: Buffer): Buffer | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return bytes.length < end ? undefined : bytes.subarray(0, end);
}
