import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { HUB_PATHS } from "../../../src/protocol/hub/hub-address.ts";

/** `isLink`: what stays for as long as a machine is connected, unlike a connection that a request has left open. */
type Pair = { client: Socket; server: Socket; port: number; isLink: boolean };
export type Wire = Awaited<ReturnType<typeof startWire>>;

/**
 * What a connection runs over. It leads to the next of the ports that takes one, as a load balancer does; it can be cut, be
 * gone for a while, or hold back all it carries.
 */
export async function startWire(ports: () => readonly number[]) {
  const pairs = new Set<Pair>();
  const waiting = new Set<Socket>();
  let [turn, refuses, isStill] = [0, false, false];

  const listener = createServer({ pauseOnConnect: true }, (client) => {
    client.on("error", () => undefined);
    if (refuses) return void client.destroy();
    if (!isStill) return dial(client);
    waiting.add(client);
    client.on("close", () => waiting.delete(client));
  });

  function dial(client: Socket, tried = 0): void {
    const all = ports();
    const port = all[(turn + tried) % all.length];
    if (port === undefined || tried >= all.length || refuses) return void client.destroy();
    const server = connect({ host: "127.0.0.1", port });
    let isUp = false;
    server.on("error", () => {
      if (!isUp && !client.destroyed) dial(client, tried + 1);
    });
    server.on("connect", () => {
      isUp = true;
      turn = (turn + tried + 1) % all.length;
      if (client.destroyed || refuses) return void (client.destroy(), server.destroy());
      const pair = { client, server, port, isLink: false };
      pairs.add(pair);
      client.once("data", (chunk: Buffer) => {
        pair.isLink = chunk.toString("latin1").startsWith(`GET ${HUB_PATHS.link}`);
      });
      client.pause();
      for (const each of [client, server]) each.on("close", () => cut(pair));
      if (!isStill) join(pair);
    });
  }

  function join({ client, server }: Pair): void {
    client.pipe(server);
    server.pipe(client);
  }

  function cut(pair: Pair): void {
    if (!pairs.delete(pair)) return;
    pair.client.destroy();
    pair.server.destroy();
  }

  const cutAll = () => pairs.forEach(cut);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    cutAll,
    /** Does a machine's link lead to this port now? */
    leadsTo: (port: number) => [...pairs].some((pair) => pair.isLink && pair.port === port),
    carries: () => pairs.size > 0,
    /** Nobody gets through until it is taken back. */
    refuse(now: boolean): void {
      refuses = now;
      if (now) cutAll();
    },
    /** What is said does not arrive until it is taken back; nobody is told. */
    still(now: boolean): void {
      isStill = now;
      for (const { client, server } of pairs)
        if (now) {
          client.unpipe(server);
          server.unpipe(client);
          for (const each of [client, server]) each.pause();
        }
      if (now) return;
      for (const pair of pairs) join(pair);
      for (const client of waiting) dial(client);
      waiting.clear();
    },
    stop(): void {
      cutAll();
      for (const client of waiting) client.destroy();
      listener.close();
    },
  };
}
