import type { AuditEvent, AuditFacts } from "../../store/hub/chain.ts";
import { type KeptRecord, recordName } from "../../store/hub/kept/kept.ts";
import type { Problem } from "./chain.ts";

/** `facts`: of the event that tells of it; `is` where that says so. */
type Choice = { ask: string; member: string; seq: number; at: number; is: string | undefined; facts: AuditFacts };
/** `isSure`: it has to be there for as long as its answer is. */
type Sent = Choice & { intent: string; isSure: boolean };
type Say = (seq: number, kind: Problem["kind"], record: string) => void;
/** What the event of a choice says of it beside its digest: the signature where there is one. */
const SAID = ["shown", "answer", "passkey", "signature"];
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Compares what is kept of people's choices with what the log says they chose, before their answer is sent and after it. */
export function createChoiceCheck() {
  const waiting = new Map<string, Choice>();
  const sent = new Map<string, Sent>();
  /** Where the log speaks last of a choice, or of an answer, that may be over. */
  const last = new Map<string, number>();

  function see(event: AuditEvent): void {
    const { seq, at, kind, by, facts } = event;
    const record = String(facts["record"]);
    const ask = `${facts["machine"]} ${facts["ask"]}`;
    if (kind === "ask.chosen") waiting.set(record, { ask, member: by, seq, at, is: text(facts["is"]), facts });
    if (kind === "choice.taken-back") waiting.delete(record);
    if (/^(half|intent) /.test(record)) last.set(record, seq);
    if (kind === "ask.answered") answered(event, ask);
    // Whoever is revoked has chosen nothing, and with the answer every choice is over.
    if (kind === "ask.answered" || kind === "member.revoked")
      for (const [each, choice] of waiting)
        if (kind === "ask.answered" ? choice.ask === ask : record === `member ${choice.member}`) waiting.delete(each);
  }

  /** Those who agree stand behind it from now on, with what each of them chose. */
  function answered({ seq, at, by, facts }: AuditEvent, ask: string): void {
    const others = text(facts["with"])?.split(" ") ?? [];
    const [machine, id, n] = [String(facts["machine"]), String(facts["ask"]), Number(facts["n"])];
    for (const member of [by, ...others]) {
      const alone = { ask, member, seq, is: text(facts["half"]), facts };
      const isAlone = member === by && alone.is !== undefined;
      const chosen = isAlone ? undefined : waiting.get(recordName({ machine, ask: id, member }));
      // Earlier versions did not say whether a signature of one person was kept.
      if (!chosen && !isAlone && (member !== by || facts["passkey"] === undefined)) continue;
      const rest = { at, intent: String(facts["record"]), isSure: isAlone || chosen !== undefined };
      sent.set(recordName({ machine, ask: id, member, n }), { ...(chosen ?? alone), ...rest });
    }
  }

  function look({ record, is, says }: KeptRecord, say: Say): void {
    const told = waiting.get(record) ?? sent.get(record);
    const isSame =
      told &&
      (told.is === undefined || told.is === is) &&
      (says === undefined || SAID.every((name) => told.facts[name] === says[name]));
    if (isSame) return;
    // It is over, or nobody chose that for this answer.
    const [, machine, , , n] = record.split(" ");
    const seq = told?.seq ?? last.get(record) ?? last.get(`intent ${machine} ${n}`);
    say(seq ?? 0, seq === undefined ? "unlogged" : "record", record);
  }

  return {
    see,
    look,
    /** `there`: the names of all that is kept. */
    end(there: ReadonlySet<string>, forgottenBefore: number, say: Say): void {
      for (const [record, { seq, at }] of waiting)
        if (at >= forgottenBefore && !there.has(record)) say(seq, "record", record);
      // They are removed together with their answer.
      for (const [record, { seq, at, intent, isSure }] of sent)
        if (isSure && (at >= forgottenBefore || there.has(intent)) && !there.has(record)) say(seq, "record", record);
    },
  };
}
