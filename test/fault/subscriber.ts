import { readRegistration } from "../../src/machine/home.ts";
import type { LogEvent } from "../../src/core/ask/event.ts";
import { STREAMS } from "../../src/protocol/contract.ts";
import type { Program } from "../e2e/program.ts";

export type Subscriber = {
  /** Every event it got, in the order of arrival, over all its connections. */
  seen: LogEvent[];
  /** Drops its connection; it comes back by itself and goes on after the last event it got. */
  drop(): void;
  stop(): void;
};
const AGAIN_MS = 50;

/** Follows the log through every death of the daemon, as a page (WebSocket) or a program (SSE) would. */
export function subscribe(program: Program, kind: keyof typeof STREAMS, heard: (event: LogEvent) => void): Subscriber {
  const seen: LogEvent[] = [];
  let connection = new AbortController();
  let stopped = false;
  void follow();
  return {
    seen,
    drop: () => connection.abort(),
    stop() {
      stopped = true;
      connection.abort();
    },
  };

  async function follow(): Promise<void> {
    while (!stopped) {
      connection = new AbortController();
      await (kind === "sse" ? overSse() : overWebSocket()).catch(() => undefined);
      await Bun.sleep(AGAIN_MS);
    }
  }

  function take(event: LogEvent): void {
    seen.push(event);
    heard(event);
  }

  async function overSse(): Promise<void> {
    const { signal } = connection;
    for await (const event of program.client().events(seen.at(-1)?.seq ?? 0, signal)) take(event);
  }

  async function overWebSocket(): Promise<void> {
    const { port, tokens } = readRegistration(program.paths) ?? {};
    if (!port) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const address = `ws://127.0.0.1:${port}${STREAMS.websocket}?after=${seen.at(-1)?.seq ?? 0}`;
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${tokens?.human}` } });
    const { signal } = connection;
    socket.addEventListener("message", ({ data }) => {
      if (!signal.aborted) take(JSON.parse(String(data)) as LogEvent);
    });
    socket.addEventListener("close", () => resolve());
    socket.addEventListener("error", () => resolve());
    signal.addEventListener("abort", () => (socket.close(), resolve()));
    await promise;
  }
}

/** Every event of the log once, in order, and nothing else. Only what came after `quietAt` it may not have yet. */
export function missedBy({ seen }: Subscriber, log: readonly LogEvent[], quietAt: number): string[] {
  const got = seen.map(({ seq }) => seq);
  const had = log.map(({ seq }) => seq).filter((seq) => seq <= Math.max(quietAt, got.at(-1) ?? 0));
  if (Bun.deepEquals(got, had)) return [];
  const at = had.findIndex((seq, i) => got[i] !== seq);
  const from = (seqs: number[]) => (at < 0 ? seqs.slice(had.length) : seqs.slice(at, at + 5)).join(" ");
  return [`a subscriber got ${from(got)} where the log has ${from(had)}`];
}
