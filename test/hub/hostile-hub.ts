import { eventually } from "../patience.ts";
import type { shownText } from "../../src/core/hub-approval.ts";

export type Shown = Parameters<typeof shownText>[0];

/** Speaks the protocol of a hub, and says what it likes. */
export function hostileHub(trust: object, more: object = {}) {
  const heard: Record<string, unknown>[] = [];
  const asks = new Map<string, Shown>();
  const told = { trust };
  let socket: Bun.ServerWebSocket | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request, self) {
      if (self.upgrade(request, { data: undefined })) return undefined;
      const { machine } = (await request.json()) as { machine: object };
      return Response.json({ machine, trust: told.trust, ...more });
    },
    websocket: {
      open(opened) {
        socket = opened;
        opened.send(JSON.stringify({ type: "welcome", after: null }));
      },
      message(from, text) {
        const message = JSON.parse(String(text));
        if (message.type === "asks") {
          for (const ask of message.asks) asks.set(ask.id, ask);
          from.send('{"type":"taken"}');
        } else heard.push(message);
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asks,
    /** To whoever joins from now on. */
    tellJoining: (trust: object) => void (told.trust = trust),
    /** With this code. */
    end: (code: number) => socket?.close(code),
    stop: () => server.stop(true),
    say: (message: object) => socket?.send(JSON.stringify(message)),
    receipt: (n: number) =>
      eventually(() => {
        const found = heard.find((each) => each["type"] === "receipt" && each["n"] === n);
        if (!found) throw new Error("no receipt yet");
        return found as { state: string; detail?: string };
      }),
  };
}
