// What a server costs that does nothing but the unavoidable: started as a process of its own, like the daemon.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, openLine } from "./line.ts";
import { BUN } from "./stage.ts";

/** See bare-server.ts for what it serves. */
export async function startPeer() {
  const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const socket = join(root, "peer.sock");
  const child = Bun.spawn([...BUN, join(import.meta.dir, "bare-server.ts"), root], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const address: Address = { unix: socket };
  while (!(await isUp(address))) await Bun.sleep(5);
  return {
    address,
    pid: child.pid,
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function isUp(address: Address): Promise<boolean> {
  try {
    const line = await openLine(address);
    await line.send("GET", "/", "");
    line.close();
    return true;
  } catch {
    return false;
  }
}
