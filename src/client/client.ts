import { ERRORS, type ErrorCode, ParleyError } from "../core/error.ts";
import { LogEvent } from "../core/event.ts";
import type { Paths } from "../machine/home.ts";
import { type CallOf, CONTRACT, type EndpointName, type ResultOf, STREAMS } from "../protocol/contract.ts";
import { ErrorBody } from "../protocol/view.ts";
import { wakeDaemon } from "./wake.ts";
import { type Request, send } from "./wire.ts";

/** Beyond what a call itself waits for. A daemon that hangs must not hang whoever asks it. */
const PATIENCE_MS = 15_000;
export type Client = ReturnType<typeof createClient>;

/** The typed way to the daemon for every surface. Starts it when it is not running, unless it was stopped on purpose. */
export function createClient(paths: Paths, { as = "human" }: { as?: "human" | "agent" } = {}) {
  async function call<N extends EndpointName>(
    name: N,
    { id, query, body, idempotencyKey }: CallOf<N> = {},
  ): Promise<ResultOf<N>> {
    const { method, path, result } = CONTRACT[name];
    const search = new URLSearchParams(
      Object.entries(query ?? {}).flatMap(([key, value]): [string, string][] =>
        value === undefined ? [] : [[key, String(value)]],
      ),
    );
    const request: Request = {
      method,
      path: `${path.replace(":id", encodeURIComponent(id ?? ""))}${search.size > 0 ? `?${search}` : ""}`,
      as,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Safe to send again when the reply got lost on the way.
      ...(method === "POST" && { idempotencyKey: idempotencyKey ?? crypto.randomUUID() }),
      signal: AbortSignal.timeout(PATIENCE_MS + Number(search.get("wait") ?? 0)),
    };
    const response = await sendAwake(request);
    if (!response.ok) throw await errorIn(response);
    return result.parse(await response.json()) as ResultOf<N>;
  }

  async function sendAwake(request: Request): Promise<Response> {
    try {
      return await send(paths, request);
    } catch (error) {
      if (request.signal?.aborted)
        throw new ParleyError("daemon_unreachable", "The daemon does not answer. End it: parley down --force", {
          cause: error,
        });
      await wake(paths);
      return send(paths, request).catch((cause: unknown) => {
        throw new ParleyError("daemon_unreachable", `The daemon does not answer at ${paths.socket}`, { cause });
      });
    }
  }

  return {
    call,
    /** Live events after a sequence number, until the signal. Comes back by itself when the daemon restarts. */
    async *events(after: number, signal: AbortSignal): AsyncGenerator<LogEvent> {
      for (let seq = after; !signal.aborted;) {
        try {
          const response = await send(paths, { method: "GET", path: `${STREAMS.sse}?after=${seq}`, as, signal });
          if (!response.ok) throw await errorIn(response);
          for await (const event of sse(response)) {
            seq = event.seq;
            yield event;
          }
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof ParleyError) throw error;
        }
        await Bun.sleep(200);
      }
    },
  };
}

async function wake(paths: Paths): Promise<void> {
  const woken = await wakeDaemon(paths, { patienceMs: 5000 });
  if (woken === "stopped")
    throw new ParleyError("daemon_stopped", "Parley was stopped with `parley down`. Start it: parley up");
  if (woken === "failed")
    throw new ParleyError("daemon_unreachable", `The daemon did not start. Its log: ${paths.log}`);
}

async function errorIn(response: Response): Promise<ParleyError> {
  const text = await response.text();
  const parsed = ErrorBody.safeParse(tryJson(text));
  if (!parsed.success)
    return new ParleyError("internal", `The daemon answered ${response.status}: ${text.slice(0, 200)}`);
  const { code, message, problems, details } = parsed.data.error;
  const known = (code in ERRORS ? code : "internal") as ErrorCode;
  return new ParleyError(known, message, { problems: problems as ParleyError["problems"], details });
}

async function* sse(response: Response): AsyncGenerator<LogEvent> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const messages = rest.split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const data = /^data: (.+)$/m.exec(message)?.[1];
      if (data !== undefined) yield LogEvent.parse(JSON.parse(data));
    }
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
