import type { Ask } from "../../ask/ask.ts";
import type { Question } from "../../ask/question.ts";
import { classify } from "../category/category.ts";
import { FOREIGN_ERASE, folded } from "../category/foreign.ts";
import { plain } from "../plain.ts";
import { ASKED, SECRET_FIELD, SIGNS, TOLD } from "./stake-signs.ts";
import { type FoundStake, type Stake, STAKES } from "./stake.ts";

const LONGEST = 20_000;

type Risking = Pick<Ask, "kind" | "questions"> & { origin?: Pick<Ask["origin"], "lastText"> };

/** What an Ask risks, with the words that say so; in doubt it is named. */
export function stakesOf({ kind, questions, origin }: Risking): FoundStake[] {
  const before = lastParagraph(origin?.lastText ?? "");
  const led = (question: Question) => (before !== "" && classify(question).category === "confirmation" ? before : "");
  const found = questions.flatMap((question, index): FoundStake[] => [
    ...structural(kind, question).map((why) => ({ stake: "permission" as const, question: index, why })),
    ...said(question, kind, led(question)).map((each) => ({ ...each, question: index })),
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
/** `asking`: sentences that want a yes; `told`: texts that say what will become of something. */
type Reading = { seen: string[]; asking: string[]; told: string[] };

/** `before`: what the agent said, where the question is no more than "go on?". */
function said({ text, header, body = "", options }: Question, kind: Ask["kind"], before: string): Said[] {
  const offered = options.flatMap(({ label, description, preview = "" }) => [label, description, preview]);
  const texts = [text, header, body, ...offered, before];
  if (texts.reduce((sum, each) => sum + each.length, 0) > LONGEST)
    return [{ stake: "unread", why: "it is too long to judge what it risks" }];
  const read = texts.map(plain).filter((each) => each !== "");
  const seen = read.map(folded);
  const [asked, led] = [sentences(text), sentences(before)];
  const reading = {
    seen,
    asking: [...asked, ...led].filter((sentence) => !ASKS_HOW.test(sentence) && !/^which(?![\p{L}])/u.test(sentence)),
    told: [
      ...asked.filter((sentence) => !ASKS_HOW.test(sentence)),
      ...[header, body, ...offered].map((each) => folded(plain(each))),
      ...led.filter((sentence) => AHEAD.test(sentence)),
    ],
  };
  const foreign = read.map((each) => FOREIGN_ERASE.exec(each)?.[0]).find((word) => word !== undefined);
  const isForm = kind === "elicitation" && seen.some((each) => SECRET_FIELD.test(each));
  return [
    ...STAKES.flatMap((stake): Said[] => {
      const words = firstSign(stake, reading);
      return words === undefined ? [] : [{ stake, why: `"${words.trim()}"` }];
    }),
    ...(foreign === undefined ? [] : [{ stake: "destructive" as const, why: `"${foreign}"` }]),
    ...(isForm ? [{ stake: "secrets" as const, why: "it asks for a secret" }] : []),
  ];
}

const ASKS_HOW = /^(?:how|where|what|when|who|why)(?![\p{L}])/u;
/** What is yet to happen; an agent's report is full of what has. */
const AHEAD = /\?$|(?<![\p{L}])(?:will|would|going to|about to|next|let me)(?![\p{L}])|'ll /u;
const sentences = (text: string) => folded(plain(text)).split(/(?<=[.!?])\s/);

function lastParagraph(text: string): string {
  return (
    text
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? ""
  );
}

function firstSign(stake: Stake, { seen, asking, told }: Reading): string | undefined {
  const found = (signs: readonly RegExp[] = [], texts: readonly string[]) => {
    for (const text of texts)
      for (const sign of signs) {
        const words = sign.exec(text)?.[0];
        if (words !== undefined) return words;
      }
    return undefined;
  };
  return found(SIGNS[stake], seen) ?? found(ASKED[stake], asking) ?? found(TOLD[stake], told);
}
