import { z } from "zod";
import { asRecord } from "../../record.ts";
import { safeLine } from "../../text/text.ts";

/** What a brain says about an option besides `reversible`: each is a reason for a person. */
export const RISKS = ["outside", "spends", "reveals", "widens", "destroys"] as const;
export const FACTS = ["reversible", ...RISKS] as const;
type Fact = (typeof FACTS)[number];

/** What picking an option would do, and the words of the question that say so. Whatever was not said is not there. */
export type OptionFacts = Partial<Record<Fact, boolean>> & { question: number; option: number; quote: string };

/** What a brain says before it answers, without documents. `needsPerson`: undefined where it did not say so plainly. */
export type Screening = { needsPerson: boolean | undefined; options: OptionFacts[]; reason: string };

/** What an answer rests on, for one question. */
export type Source = { document: string; quote: string } | { precedent: string; quote: string } | "judgement";

const MOST_REASON = 300;
const flag = z.boolean().optional().catch(undefined);
const Facts = z.looseObject({
  question: z.number().int().min(0).optional(),
  option: z.number().int().min(0),
  reversible: flag,
  outside: flag,
  spends: flag,
  reveals: flag,
  widens: flag,
  destroys: flag,
  quote: z.string().catch(""),
});

/** Contract: total. Only `false` is no, only `true` is yes; everything else is not known. */
export function readScreening(value: unknown, questions: number): Screening {
  const { needsPerson, options, reason } = asRecord(value) ?? {};
  return {
    needsPerson: typeof needsPerson === "boolean" ? needsPerson : undefined,
    options: (Array.isArray(options) ? options : []).flatMap((each) => {
      const parsed = Facts.safeParse(each);
      const question = parsed.data?.question ?? (questions === 1 ? 0 : undefined);
      return parsed.success && question !== undefined ? [{ ...parsed.data, question } as OptionFacts] : [];
    }),
    reason: typeof reason === "string" ? safeLine(reason, { max: MOST_REASON }) : "",
  };
}

/** Contract: total; one for each question, and what cannot be read is its own judgement. */
export function readSources(value: unknown, questions: number): Source[] {
  const given = Array.isArray(value) ? value : questions === 1 ? [value] : [];
  return Array.from({ length: questions }, (_, i) => sourceIn(given[i]));
}

function sourceIn(value: unknown): Source {
  const { document, precedent, quote } = asRecord(value) ?? {};
  if (typeof quote !== "string" || (document !== undefined && precedent !== undefined)) return "judgement";
  if (typeof document === "string") return { document, quote };
  return typeof precedent === "string" ? { precedent, quote } : "judgement";
}
