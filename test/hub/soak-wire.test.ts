import { expect, test } from "bun:test";
import { HUB_PATHS } from "../../src/protocol/hub/hub-address.ts";
import { eventually } from "../patience.ts";
import { startWire } from "./soak/wire.ts";

test("[LO7] a wire of the soak leads where a machine's link does, not where one of its requests has left a connection open", async () => {
  const serve = () =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request, server) => (server.upgrade(request) ? undefined : new Response("joined")),
      websocket: { message: () => undefined },
    });
  const [one, other] = [serve(), serve()] as const;
  const [first = 0, second = 0] = [one.port, other.port];
  const wire = await startWire(() => [first, second]);
  try {
    expect(await (await fetch(`http://127.0.0.1:${wire.port}/api/join`)).text()).toBe("joined");
    const link = new WebSocket(`ws://127.0.0.1:${wire.port}${HUB_PATHS.link}`);
    await eventually(() => expect(link.readyState).toBe(WebSocket.OPEN));
    expect([wire.leadsTo(first), wire.leadsTo(second)]).toEqual([false, true]);
    wire.still(true);
    wire.still(false);
    wire.cutAll();
    await eventually(() => expect(link.readyState).toBe(WebSocket.CLOSED));
    expect(wire.leadsTo(second)).toBe(false);
  } finally {
    wire.stop();
    await Promise.all([one.stop(true), other.stop(true)]);
  }
});
