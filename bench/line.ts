// The load generator's own HTTP client: one keep-alive connection, one request at a time, nothing parsed that is not
// needed. Bun's fetch allows 256 connections and costs more than the server it would measure.

import { createDechunker } from "./chunks.ts";

export type Address = { unix: string } | { hostname: string; port: number };
export type Reply = { status: number; body: string };
export type Line = {
  /** `headers`: more of them, each with its line end. */
  send(method: "GET" | "POST", path: string, token: string, body?: string, headers?: string): Promise<Reply>;
  close(): void;
};

type Waiting = { resolve: (reply: Reply) => void; reject: (error: Error) => void };

/** The daemon closes a line that was silent for ten seconds; one that nears that is opened anew. */
const MOST_SILENT_MS = 8000;
/** A busy server lets only so many stand in line. */
const ATTEMPTS = 250;

export const openLinePatiently = (address: Address): Promise<Line> => patiently(() => openLine(address));

async function patiently<T>(open: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--)
    try {
      return await open();
    } catch (error) {
      if (left === 0) throw error;
      await Bun.sleep(20);
    }
}

export async function openLine(address: Address): Promise<Line> {
  let usedAt = performance.now();
  let waiting: Waiting | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let socket: Connection | undefined = await open();

  async function open(): Promise<Connection> {
    const mine: Connection = await connect(address, {
      data(chunk) {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const reply = replyIn(rest);
        if (!reply) return;
        rest = Buffer.alloc(0);
        const { resolve } = waiting ?? {};
        waiting = undefined;
        resolve?.(reply);
      },
      end(why) {
        if (socket !== mine) return;
        socket = undefined;
        waiting?.reject(new Error(why));
        waiting = undefined;
      },
    });
    return mine;
  }

  function close(): void {
    const last = socket;
    socket = undefined;
    last?.end();
  }

  return {
    async send(method, path, token, body, headers) {
      if (performance.now() - usedAt > MOST_SILENT_MS) close();
      const line = (socket ??= await patiently(open));
      usedAt = performance.now();
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        line.write(request(method, path, token, body, headers));
      });
    },
    close,
  };
}

/** A stream of server-sent events; `heard` gets its content as it comes, cut anywhere. */
export async function openStream(
  address: Address,
  path: string,
  token: string,
  heard: (piece: Buffer) => void,
): Promise<{ close(): void }> {
  const opened = Promise.withResolvers<void>();
  const take = createDechunker((content) => {
    opened.resolve();
    heard(content);
  });
  const socket = await connect(address, {
    data: take,
    end: (why) => opened.reject(new Error(why)),
  });
  socket.write(request("GET", path, token));
  await opened.promise;
  return { close: () => socket.end() };
}

type Handlers = { data(chunk: Buffer): void; end(why: string): void };
type Connection = { write(text: string): void; end(): void };

/** A write may be taken in parts when the other side is busy. */
async function connect(address: Address, { data, end }: Handlers): Promise<Connection> {
  let unsent: Buffer[] = [];
  const socket = await Bun.connect({
    ...address,
    socket: {
      data: (_, chunk) => data(chunk),
      close: () => end("the connection was closed"),
      error: (_, error) => end(error.message),
      drain: flush,
    },
  } as Bun.UnixSocketOptions);
  function flush(): void {
    while (unsent[0]) {
      const taken = socket.write(unsent[0]);
      if (taken < unsent[0].length) {
        unsent[0] = unsent[0].subarray(Math.max(0, taken));
        return;
      }
      unsent = unsent.slice(1);
    }
  }
  return {
    write(text) {
      unsent.push(Buffer.from(text));
      if (unsent.length === 1) flush();
    },
    end: () => socket.end(),
  };
}

function request(method: string, path: string, token: string, body?: string, headers = ""): string {
  const content =
    body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: parley\r\nauthorization: Bearer ${token}\r\n${headers}${content}\r\n${body ?? ""}`;
}

const HEAD_END = Buffer.from("\r\n\r\n");

function replyIn(bytes: Buffer): Reply | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < end + 4 + length) return undefined;
  return { status: Number(head.slice(9, 12)), body: bytes.toString("utf8", end + 4, end + 4 + length) };
}
