/** Below what systems give to connections (Linux: from 32768 on), so that nobody's takes it meanwhile, nor while its server is away. */
const [FIRST, COUNT] = [10_240, 20_000];

/** A port of loopback on which nobody listens, for a server that must be told one. Two who look at once may find the same, rarely. */
export function freePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).stop(true);
      return port;
    } catch (error) {
      if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    }
  }
}
