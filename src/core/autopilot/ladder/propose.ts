import type { Answer } from "../../ask/answer/answer.ts";
import { isRecommended, type Question } from "../../ask/question.ts";
import type { Category } from "../category/category-name.ts";
import { beyondOptions, onlyVoice } from "../document-voice.ts";
import { type LabelKind, labelKind } from "../category/label-kind.ts";
import { weigh } from "./precedent.ts";
import type { Subject } from "../category/subject.ts";

/** An answer with its reason, or the reason why there is none without somebody who thinks. */
export type Proposal = { answer: Answer; why: string } | { answer?: never; why: string };

export type Case = { question: Question; category: Category; subject: Subject; kinds: LabelKind[]; labels: string[] };

/** One question with what its options do; nothing where there is no such question. */
export function caseOf(subject: Subject, index: number): Case | undefined {
  const question = subject.ask.questions[index];
  const read = subject.questions[index];
  if (!question || !read) return undefined;
  const kinds = question.options.map(({ label, description }) => labelKind(label, description));
  return { question, category: read.category, subject, kinds, labels: read.labels };
}

/** Contract: never the first option because it is the first, nor "you decide" because it is offered. */
export function propose(given: Case): Proposal {
  return STRATEGIES[given.category](given);
}

const STRATEGIES: Record<Category, (given: Case) => Proposal> = {
  confirmation: affirm,
  "style-preference": (given) => byDocuments(given, "the convention") ?? { why: "no convention is known" },
  "scope-selection": includeAll,
  "architecture-decision": (given) =>
    byDocuments(given, "the direction") ?? { why: "the documents do not speak for exactly one option" },
  "open-floor": (given) => byDocuments(given, "what is wanted") ?? { why: "what is wanted has to be typed" },
  delegation: (given) => whatSpeaksForOne(given) ?? { why: "nothing speaks for an option" },
  unclassifiable: () => ({ why: "it needs a reasoned answer" }),
};

/** The option that says yes. While work is verified a yes is a claim, so it is nobody's to give unseen. */
export function affirm({ question, category, subject, kinds }: Case): Proposal {
  if (category !== "confirmation") return { why: "it does not ask for a yes" };
  if (subject.phase === "verify") return { why: "a yes while verifying would claim what nobody looked at" };
  const yes = affirmatives(kinds);
  const [only] = yes;
  if (only === undefined || yes.length > 1) return { why: "not exactly one option says yes" };
  const recommended = question.options.findIndex(({ label, recommended: flag }) => isRecommended(label, flag));
  if (recommended >= 0 && recommended !== only)
    return { why: `"${question.options[recommended]?.label}" is recommended instead of the yes` };
  return { answer: { picks: [only] }, why: `"${question.options[only]?.label}" is the affirmative option` };
}

/** Said by its words, or left as the only one that is not a no. */
function affirmatives(kinds: readonly LabelKind[]): number[] {
  const said = kinds.flatMap((kind, i) => (kind === "yes" ? [i] : []));
  if (said.length > 0) return said;
  const rest = kinds.flatMap((kind, i) => (kind === "content" ? [i] : []));
  return kinds.includes("no") || kinds.includes("none") || kinds.length === 2 ? rest : [];
}

/** Everything that is a thing of its own; with one choice only, the option that says all. */
export function includeAll({ question, subject, kinds, labels }: Case): Proposal {
  const relevant = labels.flatMap((label, i) => (isThing(kinds[i], label) ? [i] : []));
  const isAll = (label: string) => /^(?:all|everything|both|full|complete)\b/.test(label);
  if (!question.multiSelect) {
    const all = relevant.filter((i) => isAll(labels[i] ?? ""));
    const [only] = all;
    if (only === undefined || all.length > 1) return { why: "no option takes everything" };
    return { answer: { picks: [only] }, why: `"${question.options[only]?.label}" takes everything` };
  }
  const picks = relevant.filter((i) => !isAll(labels[i] ?? ""));
  if (picks.length === 0) return { why: "no option is a thing to include" };
  const beyond = beyondOptions(labels, subject.documents);
  const note =
    beyond.length === 0 ? undefined : `The documents also ask for: ${beyond.slice(0, 5).join("; ").slice(0, 400)}`;
  return { answer: { picks, ...(note && { note }) }, why: `all ${picks.length} options are relevant` };
}

/** "Review process" begins like a refusal, and is a thing to include all the same. */
function isThing(kind: LabelKind | undefined, label: string): boolean {
  if (kind === "none" || kind === "delegate" || kind === "open") return false;
  return !/^(?:no|skip|cancel|stop|abort|later|not now|wait)(?![\p{L}\p{N}])/u.test(label);
}

function byDocuments({ question, subject, labels, kinds }: Case, what: string): Proposal | undefined {
  if (question.multiSelect) return undefined;
  const named = labels.map((label, i) => (kinds[i] === "content" ? label : ""));
  const voice = onlyVoice(named, subject.documents);
  if (!voice) return undefined;
  const label = question.options[voice.index]?.label;
  return { answer: { picks: [voice.index] }, why: `"${label}" is ${what}: ${voice.document} says "${voice.line}"` };
}

/** The documents, earlier answers or the asker; in that order, and only where they do not disagree. */
function whatSpeaksForOne(given: Case): Proposal | undefined {
  const { question, subject } = given;
  const documents = byDocuments(given, "the direction");
  const earlier = weigh(question, subject.precedents);
  if (earlier.count > 0 && !earlier.answer) return { why: earlier.why };
  const recommended = question.options.flatMap(({ label, recommended: flag }, i) =>
    isRecommended(label, flag) ? [i] : [],
  );
  const [asked] = recommended;
  const voices: Proposal[] = [
    ...(documents ? [documents] : []),
    ...(earlier.answer ? [{ answer: earlier.answer, why: earlier.why }] : []),
    ...(asked !== undefined && recommended.length === 1
      ? [{ answer: { picks: [asked] }, why: `"${question.options[asked]?.label}" is recommended` }]
      : []),
  ];
  const choices = new Set(voices.map(({ answer }) => JSON.stringify(answer?.picks)));
  return choices.size > 1 ? { why: `they disagree: ${voices.map(({ why }) => why).join("; ")}` } : voices[0];
}
