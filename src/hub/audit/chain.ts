import { type AuditEvent, BEGINNING, hashOf, type Link, sha256 } from "../../store/hub/chain.ts";

/**
 * changed: not what was written · gap: events are missing before it · reordered: it stands behind a later one · unreadable ·
 * cut: the end is missing · rewritten: another chain than the one whose head is known · signature: a head nobody signed ·
 * key: signed by another hub · record: what is kept beside the log is not what the log says · unlogged: the log knows nothing of it ·
 * alone: an answer that two had to give, and one gave · unsigned: one without a valid signature, where that was demanded.
 */
export type ProblemKind =
  | "changed"
  | "gap"
  | "reordered"
  | "unreadable"
  | "cut"
  | "rewritten"
  | "signature"
  | "key"
  | "record"
  | "unlogged"
  | "alone"
  | "unsigned";
/** `record`: which one of those beside the log. */
export type Problem = { seq: number; kind: ProblemKind; record?: string };

/** Looks at events one after the other, as they come. What is wrong with one is said once, where it stands. */
export function createChainCheck(known: readonly Link[] = []) {
  const problems: Problem[] = [];
  let last: Link = { seq: 0, hash: BEGINNING };
  let events = 0;
  const expected = new Map(known.map((head) => [head.seq, head]));

  function say(seq: number, kind: ProblemKind, record?: string): void {
    problems.push({ seq, kind, ...(record !== undefined && { record }) });
  }

  return {
    problems,
    say,
    last: () => last,
    count: () => events,
    /** Undefined: there stands something that is no event. */
    see(event: AuditEvent | undefined): void {
      events++;
      const next = last.seq + 1;
      if (!event) {
        say(next, "unreadable");
        // What comes behind it is looked at for itself.
        last = { seq: next, hash: "" };
        return;
      }
      const { seq, hash, prev, digest, content } = event;
      const isWhole = hashOf(event) === hash && (content === undefined || sha256(content) === digest);
      if (!isWhole) say(seq, "changed");
      else if (seq > next) say(next, "gap");
      else if (seq < next) say(seq, "reordered");
      else if (last.hash !== "" && prev !== last.hash) say(seq, "changed");
      if (expected.has(seq) && expected.get(seq)?.hash !== hash) say(seq, "rewritten");
      if (seq >= next) last = { seq, hash };
    },
    /** Every head that is known must be in it. */
    end(): void {
      for (const { seq } of known) if (seq > last.seq) say(last.seq + 1, "cut");
    },
  };
}
