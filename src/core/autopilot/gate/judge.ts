import type { Ask } from "../../ask/ask.ts";
import type { Question } from "../../ask/question.ts";
import type { Category } from "../category/category-name.ts";
import { subjectOf } from "../category/subject.ts";
import { languageOf } from "./language/languages.ts";
import { heldForPerson } from "./permission.ts";

/** What the gate says of one question by itself. `language`: its code, or null where it is none that is judged. */
export type Judged = {
  category: Category;
  stakes: string[];
  gate: "pass" | "hold";
  why: string[];
  language: string | null;
};

/** Without settings, rules, history or daemon: what would be said to anybody who is no person. */
export function judgeQuestion(question: Question): Judged {
  const subject = subjectOf(alone(question));
  const { atStake, notHarmless } = heldForPerson(subject, []);
  const isHeld = atStake !== undefined || notHarmless !== undefined;
  const why = [
    ...subject.stakes.map(({ stake, why: words }) => `at stake: ${stake} (${words})`),
    ...subject.gate.map((hold) => hold.why),
  ];
  const stakes = [
    ...subject.stakes.map(({ stake }) => stake),
    ...subject.gate.flatMap(({ stake }) => (stake ? [stake] : [])),
  ];
  const texts = [question.text, question.header, ...question.options.map(({ label }) => label)];
  return {
    category: subject.questions[0]?.category ?? "unclassifiable",
    stakes: isHeld ? [...new Set(stakes)] : [],
    gate: isHeld ? "hold" : "pass",
    why: isHeld ? [...new Set(why)] : [],
    language: (languageOf(question.text) ? languageOf(texts.join(" ")) : undefined)?.code ?? null,
  };
}

function alone(question: Question): Ask {
  return {
    id: "",
    version: 1,
    kind: "question",
    state: "open",
    questions: [question],
    origin: { agent: "" },
    deliveries: [],
    createdAt: 0,
    updatedAt: 0,
  };
}
