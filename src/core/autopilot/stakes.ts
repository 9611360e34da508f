import type { Ask } from "../ask.ts";
import type { Question } from "../question.ts";
import { plain } from "./plain.ts";
import { ASKED, SECRET_FIELD, SIGNS } from "./stake-signs.ts";
import { type FoundStake, type Stake, STAKES } from "./stake.ts";

const LONGEST = 20_000;

/** What an Ask risks, with the words that say so; in doubt it is named. */
export function stakesOf({ kind, questions }: Pick<Ask, "kind" | "questions">): FoundStake[] {
  const found = questions.flatMap((question, index): FoundStake[] => [
    ...structural(kind, question).map((why) => ({ stake: "permission" as const, question: index, why })),
    ...said(question, kind).map((each) => ({ ...each, question: index })),
  ]);
  return found.filter(
    ({ stake, question }, i) => found.findIndex((other) => other.stake === stake && other.question === question) === i,
  );
}

function structural(kind: Ask["kind"], { options }: Question): string[] {
  if (kind === "approval" || kind === "plan") return [`it is ${kind === "plan" ? "a plan" : "an approval"}`];
  return options.flatMap(({ label, effect, stakes }) => {
    if (effect === "allow") return [`"${label}" allows something`];
    return stakes === "high" ? [`"${label}" changes more than this one thing`] : [];
  });
}

type Said = Omit<FoundStake, "question">;

function said({ text, header, body = "", options }: Question, kind: Ask["kind"]): Said[] {
  const texts = [text, header, body, ...options.flatMap(({ label, description }) => [label, description])];
  if (texts.reduce((sum, each) => sum + each.length, 0) > LONGEST)
    return [{ stake: "unread", why: "it is too long to judge what it risks" }];
  const seen = texts.map(plain).filter((each) => each !== "");
  const asking = plain(text)
    .split(/(?<=[.!?])\s/)
    .filter((sentence) => !/^(?:how|where|which|what|when|who|why)(?![\p{L}])/u.test(sentence));
  const isForm = kind === "elicitation" && seen.some((each) => SECRET_FIELD.test(each));
  return [
    ...STAKES.flatMap((stake): Said[] => {
      const words = firstSign(stake, seen, asking);
      return words === undefined ? [] : [{ stake, why: `"${words.trim()}"` }];
    }),
    ...(isForm ? [{ stake: "secrets" as const, why: "it asks for a secret" }] : []),
  ];
}

function firstSign(stake: Stake, seen: readonly string[], asking: readonly string[]): string | undefined {
  const found = (signs: readonly RegExp[], texts: readonly string[]) => {
    for (const text of texts)
      for (const sign of signs) {
        const words = sign.exec(text)?.[0];
        if (words !== undefined) return words;
      }
    return undefined;
  };
  return found(SIGNS[stake], seen) ?? found(ASKED[stake] ?? [], asking);
}
