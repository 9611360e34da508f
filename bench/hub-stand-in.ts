// A machine that speaks the hub's protocol and has no agents.
import { randomBytes } from "node:crypto";
import { makeId } from "../src/core/id.ts";
import { BEAT_MS, HUB_PATHS } from "../src/protocol/hub/hub.ts";
import { askOf } from "../test/sample.ts";

export type StandIn = Awaited<ReturnType<typeof joinStandIn>>;

/** An open Ask as a machine tells of it. */
export const toldAsk = () => ({
  ...askOf({ id: makeId(randomBytes(16)), createdAt: Date.now() }),
  agentTitle: "a script",
  sentence: "Waits for an answer",
  reachable: true,
});

/** Joins with this code and connects; what it tells are open Asks of its own. */
export async function joinStandIn(url: string, code: string, n: number) {
  const token = `pm_${randomBytes(32).toString("base64url")}`;
  const machine = { id: makeId(randomBytes(16)), name: `stand-in-${n}` };
  const body = JSON.stringify({ code, token, machine, projects: ["/project"] });
  const joined = await fetch(`${url}${HUB_PATHS.join}`, { method: "POST", body });
  if (!joined.ok) throw new Error(`it may not join: ${await joined.text()}`);
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace("http", "ws")}${HUB_PATHS.link}`, { headers });
  const taken: (() => void)[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("close", ({ code: end }) => reject(new Error(`the hub ended it: ${end}`)));
    socket.addEventListener("message", ({ data }) => {
      const { type } = JSON.parse(String(data)) as { type: string };
      if (type === "welcome") resolve();
      if (type === "taken") taken.shift()?.();
    });
  });
  const beat = setInterval(() => socket.send('{"type":"beat"}'), BEAT_MS);
  let upTo = 0;

  return {
    /** Resolves when the hub has them on disk. */
    tell(count = 1): Promise<void> {
      const asks = Array.from({ length: count }, toldAsk);
      const { promise, resolve } = Promise.withResolvers<void>();
      taken.push(resolve);
      socket.send(JSON.stringify({ type: "asks", asks, upTo: ++upTo }));
      return promise;
    },
    close(): void {
      clearInterval(beat);
      socket.close();
    },
  };
}
