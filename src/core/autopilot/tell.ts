import type { Answer } from "../ask/answer/answer.ts";
import type { Ask } from "../ask/ask.ts";
import { asRecord } from "../record.ts";
import type { Settlement } from "../ask/settle.ts";

/** The note beside the first answer, where the agent reads it; an allowed call has no room for words. */
export function withNote(ask: Pick<Ask, "questions">, settlement: Settlement, note: string): Settlement {
  if (settlement.action === "chat")
    return { ...settlement, message: [settlement.message, note].filter(Boolean).join(" — ") };
  const [first, ...others]: readonly unknown[] = Array.isArray(settlement.answers) ? settlement.answers : [];
  const answer = asRecord(first) as Answer | undefined;
  if (settlement.action !== "answer" || !answer) return settlement;
  const isAllowed = ask.questions[0]?.options[answer.picks?.[0] ?? -1]?.effect === "allow";
  if (isAllowed) return settlement;
  return { ...settlement, answers: [{ ...answer, note: [answer.note, note].filter(Boolean).join(" — ") }, ...others] };
}
