import type { Program } from "./program.ts";

export type Via = "socket" | "port";
export const DOORS: readonly Via[] = ["socket", "port"];
export type Sent = { token?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal };
export type Reply = { status: number; text: string; body: Record<string, unknown>; error: ErrorPart };
type ErrorPart = { code?: string; message?: string; problems?: unknown[]; details?: Record<string, unknown> };

/** One request as it is, without the typed client: no retry, no waking. A body that is text is sent as it is. */
export async function request(program: Program, via: Via, line: string, sent: Sent = {}): Promise<Reply> {
  const response = await open(program, via, line, sent);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: Record<string, unknown> = isJson ? JSON.parse(text) : {};
  return { status: response.status, text, body, error: body["error"] ?? {} };
}

export function open(program: Program, via: Via, line: string, { token, body, headers, signal }: Sent = {}) {
  const [method = "", path = ""] = line.split(" ");
  const isRaw = body instanceof ReadableStream || typeof body === "string";
  return fetch(`${via === "socket" ? "http://parley" : program.url()}${path}`, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(via === "socket" && { unix: program.paths.socket }),
  });
}

export const question = (header = "Store", extra: object = {}) => ({
  question: "Which database?",
  header,
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "PostgreSQL", description: "a server" },
  ],
  ...extra,
});
export const ANSWER = [{ picks: [1] }];
