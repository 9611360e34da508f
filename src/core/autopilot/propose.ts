import type { Answer } from "../answer.ts";
import { isRecommended, type Question } from "../question.ts";
import type { Category } from "./category-name.ts";
import { beyondOptions, onlyVoice } from "./document-voice.ts";
import { type LabelKind, labelKind } from "./label-kind.ts";
import { plainLabel } from "./plain.ts";
import { weigh } from "./precedent.ts";
import type { Subject } from "./subject.ts";

/** An answer with its reason, or the reason why there is none without somebody who thinks. */
export type Proposal = { answer: Answer; why: string } | { answer?: never; why: string };

type Case = { question: Question; subject: Subject; kinds: LabelKind[]; labels: string[] };

/** Contract: never the first option because it is the first. */
export function propose(subject: Subject, index: number): Proposal {
  const question = subject.ask.questions[index];
  const category = subject.questions[index]?.category ?? "unclassifiable";
  if (!question) return { why: "there is no such question" };
  const kinds = question.options.map(({ label, description }) => labelKind(label, description));
  const labels = question.options.map(({ label }) => plainLabel(label));
  return STRATEGIES[category]({ question, subject, kinds, labels });
}

const STRATEGIES: Record<Category, (given: Case) => Proposal> = {
  confirmation: affirm,
  "style-preference": (given) =>
    byDocuments(given, "the convention") ?? delegate(given) ?? { why: "no convention is known" },
  "scope-selection": includeAll,
  "architecture-decision": (given) =>
    byDocuments(given, "the direction") ?? { why: "the documents do not speak for exactly one option" },
  "open-floor": (given) => byDocuments(given, "what is wanted") ?? { why: "what is wanted has to be typed" },
  delegation: (given) => whatSpeaksForOne(given) ?? delegate(given) ?? { why: "nothing hands the choice back" },
  unclassifiable: () => ({ why: "it needs a reasoned answer" }),
};

/** The option that says yes. While work is verified a yes is a claim, so it is nobody's to give unseen. */
export function affirm({ question, subject, kinds }: Case): Proposal {
  if (subject.phase === "verify") return { why: "a yes while verifying would claim what nobody looked at" };
  if (question.multiSelect) return { why: "several options may be taken, so none is the yes" };
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
  const relevant = kinds.flatMap((kind, i) => (kind === "content" || kind === "yes" ? [i] : []));
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

function byDocuments({ question, subject, labels, kinds }: Case, what: string): Proposal | undefined {
  if (question.multiSelect) return undefined;
  const named = labels.map((label, i) => (kinds[i] === "content" ? label : ""));
  const voice = onlyVoice(named, subject.documents);
  if (!voice) return undefined;
  const label = question.options[voice.index]?.label;
  return { answer: { picks: [voice.index] }, why: `"${label}" is ${what}: ${voice.document} says "${voice.line}"` };
}

function delegate({ question, kinds }: Case): Proposal | undefined {
  const index = kinds.indexOf("delegate");
  if (index < 0 || question.multiSelect) return undefined;
  return {
    answer: { picks: [index] },
    why: `nothing speaks for an option, and "${question.options[index]?.label}" is offered`,
  };
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
