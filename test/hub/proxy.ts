import type { Socket } from "bun";

type Pair = { client: Socket<Pair>; server?: Socket<Pair>; early: Uint8Array[] };

/**
 * Stands between a program and a server, and cuts or holds what passes. `onClient` and `onServer` see it first; what they
 * answer with `false` is not passed on; bytes are passed on in its place.
 */
export async function startProxy(to: { hostname?: string; port: number }) {
  const pairs = new Set<Pair>();
  const seen: {
    onClient: (chunk: Uint8Array, cut: () => void) => boolean | void;
    onServer: (chunk: Uint8Array, cut: () => void) => boolean | Uint8Array | void;
  } = { onClient: () => undefined, onServer: () => undefined };
  let refuses = false;
  const listener = Bun.listen<Pair>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      async open(client) {
        const pair: Pair = { client, early: [] };
        client.data = pair;
        if (refuses) {
          client.terminate();
          return;
        }
        pairs.add(pair);
        const server = await Bun.connect<Pair>({
          hostname: to.hostname ?? "127.0.0.1",
          port: to.port,
          data: pair,
          socket: {
            data(_, chunk) {
              const passed = seen.onServer(chunk, () => cut(pair));
              if (passed !== false) client.write(Uint8Array.from(passed instanceof Uint8Array ? passed : chunk));
            },
            close: () => cut(pair),
            error: () => cut(pair),
          },
        }).catch(() => undefined);
        if (!server) return cut(pair);
        pair.server = server;
        for (const chunk of pair.early.splice(0)) server.write(chunk);
      },
      data({ data: pair }, chunk) {
        if (seen.onClient(chunk, () => cut(pair)) === false) return;
        if (pair.server) pair.server.write(Uint8Array.from(chunk));
        else pair.early.push(Uint8Array.from(chunk));
      },
      close: ({ data: pair }) => cut(pair),
      error: ({ data: pair }) => cut(pair),
    },
  });

  function cut(pair: Pair): void {
    if (!pairs.delete(pair)) return;
    pair.client.terminate();
    pair.server?.terminate();
  }

  const cutAll = () => {
    for (const pair of pairs) cut(pair);
  };
  return {
    port: listener.port,
    seen,
    cutAll,
    /** Nobody gets through until it is taken back. */
    refuse(now: boolean): void {
      refuses = now;
      if (now) cutAll();
    },
    stop(): void {
      cutAll();
      listener.stop(true);
    },
  };
}
