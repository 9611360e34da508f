import type { AuditEvent } from "../../store/hub/chain.ts";
import { headOf, type SignedHead } from "./head.ts";

/** An event in a file. The last one carries the signed head. */
export const lineOf = (
  { seq, at, kind, by, facts, digest, prev, hash, content }: AuditEvent,
  head?: SignedHead,
): string => JSON.stringify({ seq, at, kind, by, facts, digest, prev, hash, content, head });

/** Contract: undefined unless the line is, byte for byte, what a hub writes. */
export function readLine(line: string): { event: AuditEvent; head?: SignedHead } | undefined {
  const value = parsed(line);
  const event = eventOf(value);
  if (!event) return undefined;
  const given = (value as { head?: unknown }).head;
  const head = given === undefined ? undefined : headOf(given);
  if (lineOf(event, head) !== line) return undefined;
  return { event, ...(head && { head }) };
}

/** Contract: undefined for what is not shaped like an event. */
export function eventOf(value: unknown): AuditEvent | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { seq, at, kind, by, facts, digest, prev, hash, content } = value as Record<string, unknown>;
  const isOne =
    Number.isSafeInteger(seq) &&
    Number.isSafeInteger(at) &&
    [kind, by, prev, hash].every((each) => typeof each === "string") &&
    (digest === null || typeof digest === "string") &&
    (content === undefined || typeof content === "string") &&
    typeof facts === "object" &&
    facts !== null;
  if (!isOne) return undefined;
  return { seq, at, kind, by, facts, digest, prev, hash, ...(content !== undefined && { content }) } as AuditEvent;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
