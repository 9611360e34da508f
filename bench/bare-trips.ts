// A WebSocket message that is committed before it is answered, in a process of its own (bare-hub.ts), as the peer of a hub.
import { join } from "node:path";
import { toldAsk } from "./hub-stand-in.ts";
import { BUN, lineOf, ROOT } from "./stage.ts";

/** What a machine says of one Ask. */
export const toldText = (): string => JSON.stringify({ type: "asks", asks: [toldAsk()], upTo: 1 });

/** `lines`: with as many connections, and as much said on the others, as the hub has. */
export async function openBareTrips(url: string, lines: number) {
  const server = Bun.spawn([...BUN, join(ROOT, "bench/bare-hub.ts"), url], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number(await lineOf(server.stdout));
  const sockets = await Promise.all(Array.from({ length: lines }, () => bareLine(port)));
  const [socket, ...others] = sockets;
  const message = toldText();
  return {
    async run(rounds: number): Promise<number[]> {
      const busy = setInterval(() => others[Math.floor(Math.random() * others.length)]?.send(message), 1000 / lines);
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const from = performance.now();
        const heard = new Promise((resolve) => socket?.addEventListener("message", resolve, { once: true }));
        socket?.send(message);
        await heard;
        times.push(performance.now() - from);
      }
      clearInterval(busy);
      return times;
    },
    stop(): void {
      sockets.forEach((each) => each.close());
      server.kill("SIGKILL");
    },
  };
}

async function bareLine(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  return socket;
}
