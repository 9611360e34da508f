import { asRecord } from "../core/record.ts";

export type Json = Record<string, unknown>;
export type Id = string | number;
/** One message of JSON-RPC as far as it can be one; what it holds is not looked at. */
export type Message =
  | { type: "request"; id: Id; method: string; params: Json }
  | { type: "notice"; method: string; params: Json }
  | { type: "reply"; id: Id; result: unknown; error: unknown };

/** Undefined: somebody else's business, and passed on. A number that a computer rounds is an id nobody could answer to. */
export function messageIn(line: Buffer): Message | undefined {
  let raw: Json | undefined;
  try {
    raw = asRecord(JSON.parse(line.toString("utf8")));
  } catch {
    return undefined;
  }
  if (!raw) return undefined;
  const { id, method, params, result, error } = raw;
  const isNamed = typeof id === "string" || Number.isSafeInteger(id);
  if (typeof method === "string") {
    const given = { method, params: asRecord(params) ?? {} };
    if (id === undefined) return { type: "notice", ...given };
    return isNamed ? { type: "request", id: id as Id, ...given } : undefined;
  }
  return isNamed && (Object.hasOwn(raw, "result") || Object.hasOwn(raw, "error"))
    ? { type: "reply", id: id as Id, result, error }
    : undefined;
}

export const nameOf = (id: Id): string => JSON.stringify(id);
export const lineOf = (message: Json): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
