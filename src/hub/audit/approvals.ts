import { answerText } from "../../core/hub-approval.ts";
import { demanded, type Policy } from "../../core/hub-policy.ts";
import { type AuditEvent, sha256 } from "../../store/hub-chain.ts";
import type { ProblemKind } from "./chain.ts";
import { parsed } from "./line.ts";

type Say = (seq: number, kind: ProblemKind) => void;

/** Looks whether answers were given as the policies of their time demand: by two people who both chose them. */
export function createApprovalCheck(say: Say) {
  const policies = new Map<string, Policy>();
  /** By the names of their records: where each policy was made that was not removed. */
  const made = new Map<string, number>();
  const chosen = new Map<string, string>();

  function answered({ seq, by, facts, content }: AuditEvent): void {
    if (policies.size === 0) return;
    const { kind, project = null, stakes = "", machine, ask, answer } = facts;
    const all = [...policies.values()];
    // What does not say what it is about is held to everything.
    const needs =
      typeof kind === "string"
        ? demanded(all, { kind, project: project as string | null, stakes: () => String(stakes).split(" ") })
        : { two: all.some(({ two }) => two), signed: all.some(({ signed }) => signed) };
    const others = typeof facts["with"] === "string" ? facts["with"].split(" ") : [];
    const agree = others.filter((other) => other !== by && chosen.get(`${machine} ${ask} ${other}`) === answer);
    const isTheSame = isAbout(content, kind, answer);
    if (needs.two && (agree.length === 0 || !isTheSame)) say(seq, "alone");
  }

  return {
    policies: made,
    see(event: AuditEvent): void {
      const { seq, kind, by, facts } = event;
      const { record, machine, ask } = facts;
      if (kind === "policy.made" && typeof record === "string") {
        const { two, signed, project, of, stake } = facts;
        policies.set(record, { id: record, two, signed, project, kind: of, stake } as Policy);
        made.set(record, seq);
      }
      if (kind === "policy.removed" && typeof record === "string") {
        policies.delete(record);
        made.delete(record);
      }
      if (kind === "ask.chosen") chosen.set(`${machine} ${ask} ${by}`, String(facts["answer"]));
      if (kind === "choice.taken-back") chosen.delete(`${machine} ${ask} ${facts["member"]}`);
      if (kind === "member.revoked" && typeof record === "string")
        for (const each of chosen.keys()) if (each.endsWith(` ${record.split(" ")[1]}`)) chosen.delete(each);
      if (kind === "ask.answered") answered(event);
    },
  };
}

/** Is what was written what its digest says? What was forgotten is taken for it. */
function isAbout(content: string | undefined, kind: unknown, answer: unknown): boolean {
  if (content === undefined) return true;
  const { settlement, asked } = (parsed(content) ?? {}) as { settlement?: never; asked?: { kind?: unknown } };
  if (settlement === undefined || (asked?.kind !== undefined && asked.kind !== kind)) return false;
  return sha256(answerText(settlement)) === answer;
}
