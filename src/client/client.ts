import { eventsIn } from "../core/text/event-stream.ts";
import { ERRORS, type ErrorCode, ParleyError } from "../core/error.ts";
import type { LogEvent } from "../core/ask/event.ts";
import { type Paths, readRegistration } from "../machine/home.ts";
import { pause } from "../machine/time/pause.ts";
import { addressOf, STREAMS } from "../protocol/address.ts";
import type { CallOf, EndpointName, ResultOf } from "../protocol/contract.ts";
import { callerHeaders } from "./caller.ts";
import { type Request, send } from "./wire.ts";

// A command waits for every file that is loaded here: schemas and what starts a daemon come only when they are needed.

/** Beyond what a call itself waits for. A daemon that hangs must not hang whoever asks it. */
const PATIENCE_MS = 15_000;
const RECONNECT_MS = 200;
type Options = {
  as?: "human" | "agent";
  wakes?: boolean;
  /** What starts the program, if not this very one. */
  command?: readonly string[];
  version?: string;
  /** The agent's session that this process's environment names, if any. */
  inside?: () => Promise<string | undefined>;
};
export type Client = ReturnType<typeof createClient>;

/**
 * The typed way to the daemon for every surface. Starts it when it is not running, unless it was stopped on purpose;
 * `wakes: false` for a program that is not Parley's own and could not. What a daemon of the caller's own `version` says
 * has the form of the contract; what any other says is checked.
 */
export function createClient(paths: Paths, { as = "human", wakes = true, command, version, inside }: Options = {}) {
  async function call<N extends EndpointName>(
    name: N,
    { id, query, body, idempotencyKey }: CallOf<N> = {},
    signal?: AbortSignal,
  ): Promise<ResultOf<N>> {
    const { method, path } = addressOf(name, { id, query });
    const { wait = 0 }: { wait?: unknown } = query ?? {};
    const request: Request = {
      method,
      path,
      as,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // What changes nothing need not say who asks.
      ...((method !== "GET" || name === "caller") && { headers: callerHeaders(inside && (await inside())) }),
      // Safe to send again when the reply got lost on the way.
      ...(method === "POST" && { idempotencyKey: idempotencyKey ?? crypto.randomUUID() }),
      signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS + Number(wait)), ...(signal ? [signal] : [])]),
    };
    const response = await sendAwake(request).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
    if (!response.ok) throw orOtherVersion(await errorIn(response), request);
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const said: unknown = await (isJson ? response.json() : response.text());
    return version !== undefined && readRegistration(paths)?.version === version
      ? (said as ResultOf<N>)
      : checked(name, said);
  }

  async function checked<N extends EndpointName>(name: N, said: unknown): Promise<ResultOf<N>> {
    const { CONTRACT } = await import("../protocol/contract.ts");
    const parsed = CONTRACT[name].result.safeParse(said);
    if (!parsed.success) throw otherVersion("answers in a form this one cannot read", parsed.error);
    return parsed.data as ResultOf<N>;
  }

  /** Contract: throws what is told; asking again for the same event would fail for ever. */
  async function checkedEvent(said: unknown): Promise<LogEvent> {
    const { LogEvent } = await import("../core/ask/event.ts");
    const parsed = LogEvent.safeParse(said);
    if (!parsed.success) throw otherVersion("tells of events in a form this one cannot read", parsed.error);
    return parsed.data;
  }

  /** So a daemon says that it knows no such address, which is not the same as knowing no such Ask. */
  function orOtherVersion(error: ParleyError, { method, path }: Request): ParleyError {
    const isUnknown = error.code === "not_found" && error.message === `No ${method} ${path.split("?")[0]}`;
    return isUnknown ? otherVersion("does not know this yet", error) : error;
  }

  function otherVersion(what: string, cause: unknown): ParleyError {
    const runs = readRegistration(paths)?.version ?? "unknown";
    const words = `The running daemon is Parley ${runs} and ${what}. Replace it with this one: parley restart`;
    return new ParleyError("other_version", words, { cause });
  }

  async function sendAwake(request: Request): Promise<Response> {
    try {
      return await send(paths, request);
    } catch (error) {
      if (request.signal?.aborted)
        throw new ParleyError("daemon_unreachable", "The daemon is not responding. Stop it: parley down --force", {
          cause: error,
        });
      if (!wakes)
        throw new ParleyError("daemon_unreachable", "Parley is not running. Start it: parley up", { cause: error });
      await wake(paths, command);
      return send(paths, request).catch((cause: unknown) => {
        throw new ParleyError("daemon_unreachable", `The daemon is not responding at ${paths.socket}`, { cause });
      });
    }
  }

  return {
    call,
    /**
     * Live events after a sequence number, until the signal. Comes back by itself when the daemon restarts; `onLine` hears
     * when it comes and when it goes.
     */
    async *events(
      after: number,
      signal: AbortSignal,
      onLine: (isThere: boolean) => void = () => undefined,
    ): AsyncGenerator<LogEvent> {
      let wasThere: boolean | undefined;
      const tell = (isThere: boolean) => {
        if (isThere !== wasThere) onLine(isThere);
        wasThere = isThere;
      };
      for (let seq = after; !signal.aborted;) {
        try {
          const response = await send(paths, { method: "GET", path: `${STREAMS.sse}?after=${seq}`, as, signal });
          if (!response.ok) throw await errorIn(response);
          tell(true);
          for await (const said of response.body ? eventsIn(response.body) : []) {
            const event = await checkedEvent(said);
            seq = event.seq;
            yield event;
          }
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof ParleyError) throw error;
        }
        tell(false);
        await pause(RECONNECT_MS, signal);
      }
    },
  };
}

async function wake(paths: Paths, command: readonly string[] | undefined): Promise<void> {
  const { mustHaveWoken, startDaemon } = await import("./start-daemon.ts");
  const woken = await startDaemon(paths, { patienceMs: 5000, ...(command && { command }) });
  if (woken === "stopped")
    throw new ParleyError("daemon_stopped", "Parley was stopped with `parley down`. Start it: parley up");
  await mustHaveWoken(woken, paths);
}

async function errorIn(response: Response): Promise<ParleyError> {
  const { ErrorBody } = await import("../protocol/view.ts");
  const text = await response.text();
  const parsed = ErrorBody.safeParse(tryJson(text));
  if (!parsed.success)
    return new ParleyError("internal", `The daemon answered ${response.status}: ${text.slice(0, 200)}`);
  const { code, message, problems, details } = parsed.data.error;
  const known = (code in ERRORS ? code : "internal") as ErrorCode;
  return new ParleyError(known, message, { problems: problems as ParleyError["problems"], details });
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
