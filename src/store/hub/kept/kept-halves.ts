import { answerText } from "../../../core/hub-approval.ts";
import { sha256 } from "../chain.ts";
import { type KeptHalf, type KeptRecord, recordName } from "./kept.ts";
import type { HubRun } from "../schema.ts";

type Stored = KeptHalf & { shown: string; answer: string };

/** What people chose where two were needed or a signature: what waits for another one, and what stands behind an answer. */
export async function keptHalves(run: HubRun, digest: (half: Stored) => string): Promise<KeptRecord[]> {
  const rows = await run<Stored>(
    "SELECT machine, ask, member, n, settlement, shown, answer, signed FROM hub_halves ORDER BY at, machine, ask, n, member",
  );
  return rows.map((row) => ({ record: recordName(row), is: digest(row), ended: false, says: saidBy(row) }));
}

/** What the event that tells of it has to say too: people are compared by these. */
function saidBy({ settlement, shown, answer, signed }: Stored): Record<string, string> {
  const isItsOwn = orUndefined(() => sha256(answerText(JSON.parse(settlement)))) === answer;
  const proof = signed === null ? {} : (orUndefined(() => proofOf(signed)) ?? { signature: "" });
  return { shown, answer: isItsOwn ? answer : "", ...proof };
}

function proofOf(signed: string): Record<string, string> {
  const { passkey, response } = JSON.parse(signed) as { passkey: unknown; response: unknown };
  return { passkey: String(passkey), signature: JSON.stringify(response) };
}

/** Somebody may have written there whatever they liked. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
