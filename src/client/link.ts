import type { Paths } from "../machine/home.ts";
import { pause } from "../machine/time/pause.ts";
import type { LinkHello } from "../protocol/link.ts";
import { send } from "./wire.ts";

export type LinkRequest = { method: string; path: string; body?: unknown };
export type LinkReply = { status: number; body: unknown };
type Deps = {
  paths: Paths;
  hello(): LinkHello;
  /** What the daemon wants of this end. Contract: never throws. */
  answer(request: LinkRequest): LinkReply | Promise<LinkReply>;
  /** Nobody answers at the socket: somebody may be made to. Contract: never rejects. */
  wake?(): Promise<void>;
};
/** `events` and `replies` as JSON, in order. */
type Line = { id: string; events: string[]; replies: string[]; busy: Set<Kind>; broken: AbortController };
type Kind = "events" | "replies";

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, PATIENCE_MS] = [250, 5000, 30_000];
/** A daemon takes bodies up to 1 MiB, and a character has up to three bytes. */
const MOST_CHARACTERS = 300_000;
const MOST_WAITING = 5000;
export type Link = ReturnType<typeof createLink>;

/**
 * An agent's end of a connection to the daemon: carries events out and requests in, and comes back by itself.
 * Contract: nothing here throws or is waited for. Without a daemon nothing is kept: it asks what is open when it is there.
 */
export function createLink({ paths, hello, answer, wake }: Deps) {
  let line: Line | undefined;
  let isOver = false;
  let hurry: (() => void) | undefined;

  const post = (path: string, body: string, signal: AbortSignal) =>
    send(paths, { method: "POST", path, as: "agent", body, signal });

  /** Stays until the line breaks. */
  async function connect(): Promise<void> {
    const broken = new AbortController();
    const response = await post("/hook/link", JSON.stringify(hello()), broken.signal);
    if (!response.ok || !response.body) return;
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const each of lines.filter(Boolean).map((text) => JSON.parse(text) as Record<string, unknown>)) {
        if (typeof each["link"] === "string")
          line = { id: each["link"], events: [], replies: [], busy: new Set(), broken };
        else if (typeof each["path"] === "string") void carry(line, each as LinkRequest & { id: number });
      }
    }
  }

  async function carry(to: Line | undefined, { id, ...request }: LinkRequest & { id: number }): Promise<void> {
    const reply = await answer(request);
    if (!push(to, "replies", { id, ...reply })) push(to, "replies", { id, status: 413, body: null });
  }

  /** False for what is too large to be sent. */
  function push(to: Line | undefined, kind: Kind, item: unknown): boolean {
    if (!to || to !== line || isOver) return true;
    const text = JSON.stringify(item);
    if (text.length > MOST_CHARACTERS) return false;
    to[kind].push(text);
    // One that takes nothing for so long is as good as gone: what is open it asks for when it is back.
    if (to[kind].length > MOST_WAITING) to.broken.abort();
    else void flush(to, kind);
    return true;
  }

  /** In order, as many at once as fit. */
  async function flush(to: Line, kind: Kind): Promise<void> {
    if (to.busy.has(kind)) return;
    to.busy.add(kind);
    while (to === line && to[kind].length > 0) {
      let size = 0;
      const fits = to[kind].findIndex((text) => (size += text.length) > MOST_CHARACTERS);
      const items = to[kind].splice(0, fits < 0 ? 1000 : Math.min(fits, 1000));
      const path = `/hook/link/${to.id}/${kind}`;
      const sent = await post(path, `{"${kind}":[${items.join(",")}]}`, AbortSignal.timeout(PATIENCE_MS)).catch(
        () => undefined,
      );
      if (!sent?.ok) return to.broken.abort();
      await sent.body?.cancel().catch(() => undefined);
    }
    to.busy.delete(kind);
  }

  async function stay(): Promise<void> {
    for (let ms = SHORTEST_PAUSE_MS; !isOver; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const wasMade = await connect().then(
        () => line !== undefined,
        () => line !== undefined,
      );
      line = undefined;
      if (isOver) return;
      if (wasMade) ms = SHORTEST_PAUSE_MS / 2;
      else await wake?.().catch(() => undefined);
      await Promise.race([pause(ms), new Promise<void>((resume) => (hurry = resume))]);
    }
  }

  return {
    start: () => void stay().catch(() => undefined),
    /** Somebody waits: a daemon that was away is looked for at once. */
    event(event: unknown, isUrgent = false): void {
      if (!line && isUrgent) hurry?.();
      push(line, "events", { event });
    },
    stop(): void {
      isOver = true;
      line?.broken.abort();
      hurry?.();
    },
  };
}
