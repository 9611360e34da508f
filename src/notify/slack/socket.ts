import type { Log } from "../../machine/log.ts";
import { pause } from "../../machine/time/pause.ts";
import { SendError } from "../messenger.ts";
import { Envelope } from "./read.ts";
import { safelyParse } from "../../core/safely-parse.ts";

type Deps = {
  /** A fresh address; each is for one connection. */
  address: (signal: AbortSignal) => Promise<string>;
  heard: (envelope: Envelope, acknowledge: (payload?: object) => void) => void;
  log: Log;
};
/** Why it is over: Slack wants another one, and this one still hears; or it is gone. */
type End = "refresh" | "gone";
type Line = { over: Promise<End>; close: () => void };
export type Socket = ReturnType<typeof createSocket>;

const DIAL_MS = 30_000;
const BEAT_MS = 15_000;
/** Without any sign of life; only another connection is made then. */
const SILENT_MS = 60_000;
const PAUSES_MS = [500, 2000, 10_000, 30_000, 60_000];
/** Between two that Slack wants, while the old one still hears. */
const REFRESH_MS = 500;
/** One that lived so long begins the pauses anew. */
const LIVED_MS = 30_000;

/**
 * Slack's Socket Mode: a connection that this side opens, so that no port is open. Slack ends each after a while and says
 * so before: the next one is there before the old one is closed, and what comes on either is taken.
 */
export function createSocket({ address, heard, log }: Deps) {
  let open = 0;
  let problem: SendError | undefined;
  /** Ends a pause: somebody waits for it. */
  let nudge = new AbortController();
  let waiting: ((how: { problem?: SendError }) => void)[] = [];

  async function run(signal: AbortSignal): Promise<void> {
    let failed = 0;
    let old: Line | undefined;
    while (!signal.aborted) {
      const begun = performance.now();
      try {
        const line = await dial(signal);
        old?.close();
        old = undefined;
        if (problem) log("info", "Slack is heard again", {});
        tell({});
        const end = await line.over;
        if (performance.now() - begun >= LIVED_MS) failed = 0;
        if (end === "refresh") {
          old = line;
          await pause(REFRESH_MS, signal);
        } else await pause(PAUSES_MS[Math.min(failed++, PAUSES_MS.length - 1)] ?? 1000, signal);
      } catch (error) {
        if (signal.aborted) break;
        const known = error instanceof SendError ? error : new SendError("Slack cannot be heard", { again: true });
        if (known.message !== problem?.message) log("warn", "Slack is not heard", { error: known.message });
        tell({ problem: known });
        nudge = new AbortController();
        const ms = known.afterMs ?? PAUSES_MS[Math.min(failed++, PAUSES_MS.length - 1)] ?? 1000;
        await pause(ms, known.afterMs === undefined ? AbortSignal.any([signal, nudge.signal]) : signal);
      }
    }
    old?.close();
  }

  function tell(how: { problem?: SendError }): void {
    problem = how.problem;
    for (const each of waiting) each(how);
    waiting = [];
  }

  /** Answers when Slack has said hello on it. */
  async function dial(signal: AbortSignal): Promise<Line> {
    const url = await address(AbortSignal.any([signal, AbortSignal.timeout(DIAL_MS)]));
    if (!isPrivate(url)) throw new SendError("Slack gave an address that is not used", { again: true });
    const { promise: hello, resolve: greet, reject } = Promise.withResolvers<void>();
    const { promise: over, resolve: finish } = Promise.withResolvers<End>();
    const socket = new WebSocket(url);
    let seen = performance.now();
    const alive = () => void (seen = performance.now());
    let isGreeted = false;
    let isClosed = false;
    const close = () => {
      if (isClosed) return;
      isClosed = true;
      if (isGreeted) open--;
      clearInterval(beat);
      signal.removeEventListener("abort", close);
      finish("gone");
      reject(new SendError("the connection to Slack ended before it began", { again: true }));
      socket.terminate();
    };
    const beat = setInterval(() => {
      if (performance.now() - seen > SILENT_MS) return close();
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, BEAT_MS);
    signal.addEventListener("abort", close);
    for (const type of ["ping", "pong"]) socket.addEventListener(type, alive);
    socket.addEventListener("close", close);
    socket.addEventListener("error", close);
    socket.addEventListener("message", ({ data }: MessageEvent) => {
      alive();
      const envelope = parse(data);
      if (!envelope) return;
      const { type, reason, envelope_id } = envelope;
      if (type === "hello") {
        if (!isGreeted && !isClosed) open++;
        isGreeted = true;
        return greet();
      }
      if (type === "disconnect") {
        if (reason === "link_disabled") {
          reject(new SendError("Socket Mode is switched off in the app's settings", { again: true }));
          return close();
        }
        return finish("refresh");
      }
      if (envelope_id === undefined) return;
      heard(envelope, (payload) => {
        if (socket.readyState === WebSocket.OPEN)
          socket.send(JSON.stringify({ envelope_id, ...(payload && { payload }) }));
      });
    });
    const late = setTimeout(close, DIAL_MS);
    await hello.finally(() => clearTimeout(late));
    return { over, close };
  }

  return {
    run,
    isOpen: () => open > 0,
    problem: () => problem,
    /** Resolves when it hears; throws why it does not, as soon as that is known. */
    async ready(signal: AbortSignal): Promise<void> {
      if (open > 0) return;
      // Slack said when: not before.
      if (problem?.afterMs !== undefined) throw problem;
      const { promise, resolve } = Promise.withResolvers<{ problem?: SendError }>();
      waiting.push(resolve);
      nudge.abort();
      const gone = () =>
        resolve({ problem: new SendError("Slack did not open a connection in time", { again: true }) });
      signal.addEventListener("abort", gone);
      if (signal.aborted) gone();
      const how = await promise.finally(() => signal.removeEventListener("abort", gone));
      if (how.problem) throw how.problem;
    },
  };
}

function parse(data: unknown): Envelope | undefined {
  try {
    const { success, data: found } = safelyParse(Envelope, JSON.parse(String(data)));
    return success ? found : undefined;
  } catch {
    return undefined;
  }
}

/** It holds a ticket: over TLS, or on this machine. */
function isPrivate(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "wss:" || (protocol === "ws:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname));
}
