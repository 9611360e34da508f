import { rm } from "node:fs/promises";
import { createOpencodeHome, opencodeEnvironment, type OpencodeHome } from "./home.ts";
import type { OpencodeLabOptions } from "./opencode-lab.ts";
import { PATIENCE_MS } from "../../../lab/poll.ts";

export type OpencodeServer = OpencodeHome & {
  url: string;
  password: string;
  pid: number;
  /** A call of its HTTP API in the project's folder; the parsed body, or its text where it is none. */
  call(method: "GET" | "POST", path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The real `opencode serve` on a free port, with a password that only this process and its caller know. */
export async function createOpencodeServer(options: OpencodeLabOptions): Promise<OpencodeServer> {
  const dirs = await createOpencodeHome({ ...options, modelUrl: options.model.url });
  const password = crypto.randomUUID();
  const child = Bun.spawn([options.program, "serve", "--hostname", "127.0.0.1", "--port", String(freePort())], {
    cwd: dirs.project,
    env: { ...opencodeEnvironment(dirs.home), OPENCODE_SERVER_PASSWORD: password, ...options.env },
    stdio: ["ignore", "pipe", "ignore"],
  });

  async function close(): Promise<void> {
    child.kill("SIGKILL");
    await child.exited;
    await rm(dirs.home, { recursive: true, force: true, maxRetries: 5 });
  }

  const url = await listening(child.stdout).catch(async (problem: unknown) => {
    await close();
    throw problem;
  });
  const headers = {
    authorization: `Basic ${btoa(`opencode:${password}`)}`,
    "content-type": "application/json",
    "x-opencode-directory": dirs.project,
  };
  return {
    ...dirs,
    url,
    password,
    pid: child.pid,
    async call(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: parsed(await response.text()) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** `--port 0` means 4096 to opencode, and another one only where that is taken. */
function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  if (port === undefined) throw new Error("there is no free port");
  return port;
}

async function listening(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  const deadline = setTimeout(() => void reader.cancel(), PATIENCE_MS);
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    text += value ? decoder.decode(value, { stream: true }) : "";
    const url = /listening on (http:\/\/\S+)/.exec(text)?.[1];
    if (url === undefined && !done) continue;
    clearTimeout(deadline);
    if (url === undefined) throw new Error(`opencode serve does not listen; it said:\n${text}`);
    reader.releaseLock();
    return url;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
