import { lifeIn, recordsIn } from "../../store/hub/audit.ts";
import type { AuditEvent } from "../../store/hub/chain.ts";
import type { KeptRecord } from "../../store/hub/kept/kept.ts";
import type { Problem } from "./chain.ts";
import { createChoiceCheck } from "./choice-check.ts";

type Told = { is?: string; seq: number; ended: boolean; madeAt: number; state: string | undefined };
/** What an answer or a task is after such an event. */
const STATES: Readonly<Record<string, string>> = {
  "ask.answered": "sent",
  "intent.taken-back": "withdrawn",
  "task.chosen": "waiting",
  "task.given": "sent",
  "task.taken-back": "withdrawn",
};
const stateIn = (kind: string): string | undefined =>
  STATES[kind] ?? /^(?:intent|task)\.(received|overtaken|refused|withdrawn)$/.exec(kind)?.[1];
type Say = (seq: number, kind: Problem["kind"], record: string) => void;

/** Compares what a hub keeps beside its log with what the log says of it, in both directions. */
export function createKeptCheck() {
  const told = new Map<string, Told>();
  const choices = createChoiceCheck();
  let forgottenBefore = -Infinity;

  function see(event: AuditEvent): void {
    const { seq, at, kind, facts } = event;
    const life = lifeIn(kind);
    for (const { record, is } of recordsIn(event)) {
      const before = told.get(record);
      told.set(record, {
        seq,
        madeAt: before?.madeAt ?? at,
        ended: life === undefined ? before?.ended === true : life === "ended",
        state: stateIn(kind) ?? before?.state,
        ...(is !== undefined ? { is } : before?.is !== undefined && { is: before.is }),
      });
    }
    choices.see(event);
    if (kind === "content.forgotten") forgottenBefore = Math.max(forgottenBefore, Number(facts["before"]));
  }

  /** `policies`: those that the log says are in force. */
  function end(kept: readonly KeptRecord[], policies: ReadonlyMap<string, number>, say: Say): void {
    for (const each of kept) {
      const { record, is, ended, before, state } = each;
      if (record.startsWith("half ")) {
        choices.look(each, say);
        continue;
      }
      const said = told.get(record);
      const isSame = said && (said.is === is || (before !== undefined && said.is === (before ?? undefined)));
      // Of one from before there was a log only what came later is known.
      const isOther = state !== undefined && said?.state !== undefined && said.state !== state;
      if (said && (!isSame || isOther || (said.ended && !ended))) say(said.seq, "record", record);
      if (!said) say(0, "unlogged", record);
    }
    // It is no more, and nobody said so.
    const there = new Set(kept.map(({ record }) => record));
    const gone = (record: string, seq: number) => there.has(record) || say(seq, "record", record);
    for (const [record, seq] of policies) gone(record, seq);
    for (const [record, said] of told) if (stays(record, said)) gone(record, said.seq);
    choices.end(there, forgottenBefore, say);
  }

  /** Is it there for as long as the log says nothing else? */
  function stays(record: string, { is, ended, madeAt }: Told): boolean {
    const what = record.slice(0, record.indexOf(" "));
    if (/^(session|route|group)$/.test(what)) return !ended;
    // Those are removed with the questions they were about.
    if (/^(intent|task)$/.test(what)) return is !== undefined && madeAt >= forgottenBefore;
    // Who was revoked is still known.
    return /^(machine|member|token|passkey|role)$/.test(what) && is !== undefined;
  }

  return { see, end };
}
