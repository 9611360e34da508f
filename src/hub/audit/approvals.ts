import { answerText, type Approval, approvalText } from "../../core/hub-approval.ts";
import { demanded, type Policy, taskNeedsOf } from "../../core/hub-policy.ts";
import { hostOf, isProof } from "../../machine/passkey-proof.ts";
import { type AuditEvent, sha256 } from "../../store/hub/chain.ts";
import { orderDigest } from "../../store/hub/task-rows.ts";
import type { ProblemKind } from "./chain.ts";
import { parsed } from "./line.ts";

type Say = (seq: number, kind: ProblemKind) => void;

/**
 * Looks whether answers were given as the policies of their time demand: by two people who both chose them, with signatures
 * of the passkeys that the log says are theirs.
 */
export function createApprovalCheck(say: Say) {
  const policies = new Map<string, Policy>();
  /** By the names of their records: where each policy was made that was not removed. */
  const made = new Map<string, number>();
  /** What was chosen and not sent yet: of work by the name of its record, of an Ask by machine and Ask, then by member. */
  const orders = new Map<string, AuditEvent>();
  const chosen = new Map<string, Map<unknown, AuditEvent>>();
  const keys = new Map<string, { member: unknown; publicKey: string }>();
  /** Signatures are looked at when all keys are known, by the number of the answer they are for. */
  const signed: { seq: number; is: () => Promise<boolean> }[] = [];

  /** Has whoever did this signed it, with a passkey that was theirs then? */
  function isSigned({ by, facts }: AuditEvent): () => Promise<boolean> {
    const { passkey, signature, machine, ask, shown, answer } = facts;
    const key = keys.get(String(passkey));
    const response = parsed(String(signature));
    const rpId = hostOf(response);
    if (!key || key.member !== by || rpId === undefined) return async () => false;
    const text = approvalText({ machine, ask, shown, answer } as Approval);
    return () => isProof(response, text, { id: String(passkey), publicKey: key.publicKey, rpId });
  }

  function answered(event: AuditEvent): void {
    const { seq, by, facts, content } = event;
    const { kind, project = null, stakes = "", machine, ask, shown, answer } = facts;
    const others = typeof facts["with"] === "string" ? facts["with"].split(" ") : [];
    const agree = others.flatMap((other) => {
      const half = chosen.get(`${machine} ${ask}`)?.get(other);
      const agrees = half?.facts["answer"] === answer && half?.facts["shown"] === shown;
      return half && other !== by && agrees ? half : [];
    });
    // What was chosen counts for one answer: after it all choose anew, also who has no part in it.
    chosen.delete(`${machine} ${ask}`);
    if (policies.size === 0) return;
    const all = [...policies.values()];
    // What does not say what it is about is held to everything.
    const needs =
      typeof kind === "string"
        ? demanded(all, { kind, project: project as string | null, stakes: () => String(stakes).split(" ") })
        : { two: all.some(({ two }) => two), signed: all.some(({ signed }) => signed) };
    const isTheSame = isAbout(content, kind, answer);
    if (needs.two && (agree.length === 0 || !isTheSame)) say(seq, "alone");
    if (!needs.signed) return;
    if (!isTheSame) say(seq, "unsigned");
    for (const each of [event, ...agree]) signed.push({ seq, is: isSigned(each) });
  }

  /** Two people behind work, as behind an answer; it carries no signature. */
  function given({ seq, by, facts, content }: AuditEvent): void {
    const { record, project, order } = facts;
    const needs = taskNeedsOf([...policies.values()], String(project));
    if (needs.signed) say(seq, "unsigned");
    if (!needs.two) return;
    const half = orders.get(String(record));
    const agrees = half && half.by !== by && half.by === facts["with"] && half.facts["order"] === order;
    if (!agrees || !isOrder(content, facts)) say(seq, "alone");
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
      if (kind === "task.chosen") orders.set(String(record), event);
      if (kind === "task.given") given(event);
      if (kind === "task.taken-back" || kind === "task.withdrawn") orders.delete(String(record));
      if (kind === "ask.chosen") {
        const halves = chosen.get(`${machine} ${ask}`) ?? new Map<unknown, AuditEvent>();
        chosen.set(`${machine} ${ask}`, halves.set(by, event));
      }
      if (kind === "passkey.made" || kind === "passkey.found")
        keys.set(String(facts["passkey"]), { member: facts["member"], publicKey: String(facts["publicKey"]) });
      if (kind === "choice.taken-back") chosen.get(`${machine} ${ask}`)?.delete(facts["member"]);
      if (kind === "member.revoked" && typeof record === "string")
        for (const halves of chosen.values()) halves.delete(record.split(" ")[1]);
      if (kind === "ask.answered") answered(event);
    },
    async end(): Promise<void> {
      for (const { seq, is } of signed) if (!(await is())) say(seq, "unsigned");
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

/** The same of work: is it what was agreed to? */
function isOrder(content: string | undefined, { machine, project, order }: AuditEvent["facts"]): boolean {
  if (content === undefined) return true;
  const { prompt, name } = (parsed(content) ?? {}) as { prompt?: unknown; name?: unknown };
  const title = name === undefined ? null : String(name);
  return orderDigest({ machine: String(machine), project: String(project), prompt: String(prompt), title }) === order;
}
