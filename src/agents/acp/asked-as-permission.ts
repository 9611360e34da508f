import { z } from "zod";
import type { Answer } from "../../core/ask/answer/answer.ts";
import { isRecommended, type Question } from "../../core/ask/question.ts";
import type { ReceivedChoice } from "../../core/receipt/received.ts";
import { decodeChoice, encodeChoice } from "../../core/receipt/compare.ts";
import { type Call, fields } from "./payload.ts";

const words = z.string().catch("");
const Input = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        question: words,
        header: words,
        multiSelect: z.boolean().catch(false),
        options: z.array(z.looseObject({ label: words, description: words })).catch([]),
      }),
    )
    .min(1)
    .max(20),
});

/**
 * Some agents ask a question as a permission for the call that asks it, and say so in its private fields; the answers stand
 * beside the outcome, by number. Seen in qwen-code 0.24.4.
 */
export function questionsIn(call: Call | undefined): Question[] | undefined {
  if (!call || !Object.values(call["_meta"]).includes("user_question")) return undefined;
  const input = Input.safeParse(call.rawInput).data;
  return input?.questions.map(({ question, header, multiSelect, options }) => ({
    text: question,
    header,
    multiSelect,
    options: options.map(({ label, description }) => ({ label, description, recommended: isRecommended(label) })),
  }));
}

/** A note has no place of its own. */
export function answersFor(questions: readonly Question[], answers: readonly Answer[]): Record<string, string> {
  const entries = questions.map((question, i): [string, string] => {
    const { note, ...answer } = answers[i] ?? { picks: [] };
    return [
      String(i),
      [encodeChoice(question, answer, "plain"), ...(note ? [`(note: ${note})`] : [])].join(" ").trim(),
    ];
  });
  return Object.fromEntries(entries);
}

/** An editor that knows only permissions sends no answers: the agent is then told that there are none. */
export function answersIn(questions: readonly Question[], result: unknown): (ReceivedChoice | undefined)[] {
  const given = fields.parse(z.looseObject({ answers: z.unknown().optional() }).safeParse(result).data?.answers);
  return questions.map((question, i): ReceivedChoice | undefined => {
    const raw = given[String(i)];
    if (raw === undefined) return { labels: [] };
    if (typeof raw !== "string") return undefined;
    const [, said = raw, note] = /^(.*?) ?\(note: (.*)\)$/s.exec(raw) ?? [];
    return { ...decodeChoice(question, said), ...(note !== undefined && { note }), raw: said };
  });
}
