import { createHash } from "node:crypto";

/** Small and kept for ever: ids, names, digests. Never what somebody wrote. */
export type AuditFacts = Readonly<Record<string, string | number | boolean | null>>;
/** Something that happened in a hub. Kinds are open: whoever adds one adds nothing here. */
export type AuditNote = {
  kind: string;
  /** The id of the member or machine that did it; `host`: somebody on the hub's own machine. */
  by: string;
  facts?: AuditFacts;
  /** What somebody wrote. It may be forgotten later; its digest stays. */
  content?: object;
};
export type AuditEvent = {
  seq: number;
  at: number;
  kind: string;
  by: string;
  facts: AuditFacts;
  /** Of the content, as text; null: it had none. */
  digest: string | null;
  /** The hash of the event before. */
  prev: string;
  hash: string;
  content?: string;
};

/** What stands before the first event. */
export const BEGINNING = "0".repeat(64);

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Of everything in the event but its content, which is there by its digest. */
export const hashOf = ({ seq, at, kind, by, facts, digest, prev }: Omit<AuditEvent, "hash" | "content">): string =>
  sha256(JSON.stringify([seq, at, kind, by, facts, digest, prev]));

/** The next event of a chain that ends with `last`. */
export function chained({ kind, by, facts = {}, content }: AuditNote, at: number, last: Link): AuditEvent {
  const text = content && JSON.stringify(content);
  const bare = {
    seq: last.seq + 1,
    at,
    kind,
    by,
    facts,
    digest: text === undefined ? null : sha256(text),
    prev: last.hash,
  };
  return { ...bare, hash: hashOf(bare), ...(text !== undefined && { content: text }) };
}

export type Link = Pick<AuditEvent, "seq" | "hash">;
