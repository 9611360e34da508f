import type { Answer } from "../../ask/answer.ts";
import type { Ask } from "../../ask/ask.ts";
import { describeAnswer, isUnread } from "../../words/describe-answer.ts";
import type { Question } from "../../ask/question.ts";
import { safeLine } from "../../text/text.ts";
import { plain, plainLabel } from "../plain.ts";

/** What earlier answers to the same question say now. `answer` is there where all of them agree and can be given again. */
export type Weighed = { count: number; answer?: Answer; why: string };

type Given = { labels: string[]; text: string | undefined };

/** Names by which the same question is found again: by its text and options, and by its header and options. */
export function keysOf({ questions }: Pick<Ask, "questions">): string[] {
  return [...new Set(questions.flatMap((question) => identities(question).map(digest)))];
}

/** Contract: only a person's answers count, or a rule would confirm itself. */
export function weigh(question: Question, precedents: readonly Ask[]): Weighed {
  const earlier = precedents.flatMap((ask) => answersTo(question, ask));
  const [first] = earlier;
  if (!first) return { count: 0, why: "it was not asked here before" };
  const distinct = new Map(earlier.map((given) => [sameAs(given), given]));
  if (distinct.size > 1) {
    const said = [...distinct.values()].slice(0, 3).map((given) => `"${inWords(given)}"`);
    return { count: earlier.length, why: `earlier answers contradict each other: ${said.join(", ")}` };
  }
  const answer = again(question, first);
  const times = earlier.length === 1 ? "once" : `${earlier.length} times, always the same`;
  if (!answer) return { count: earlier.length, why: `answered ${times}, but "${inWords(first)}" is not offered now` };
  return { count: earlier.length, answer, why: `answered ${times}: "${inWords(first)}"` };
}

/** The sentence for a person who now answers otherwise than always before. */
export function contradiction(
  { questions }: Pick<Ask, "questions">,
  answers: readonly Answer[],
  precedents: readonly Ask[],
): string | undefined {
  const sentences = questions.flatMap((question, i) => {
    const { answer, count } = weigh(question, precedents);
    const now = answers[i];
    if (!answer || !now || sameAs(givenIn(question, now)) === sameAs(givenIn(question, answer))) return [];
    const before = count === 1 ? "before" : `${count} times before`;
    return [`Answered "${describeAnswer(question, answer)}" ${before}, now "${describeAnswer(question, now)}"`];
  });
  return sentences.length === 0 ? undefined : sentences.join("; ");
}

function answersTo(question: Question, { questions, outcome }: Ask): Given[] {
  const isPersons = outcome?.actor.type === "person" && ["answered", "answered-elsewhere"].includes(outcome.type);
  if (!isPersons) return [];
  return questions.flatMap((earlier, i) => {
    const answer = outcome.answers?.[i];
    return answer && !isUnread(answer) && isSame(question, earlier) ? [givenIn(earlier, answer)] : [];
  });
}

function isSame(question: Question, earlier: Question): boolean {
  if (question.multiSelect !== earlier.multiSelect || question.options.length !== earlier.options.length) return false;
  // Mostly it is the same to the letter.
  const isLetterForLetter =
    question.text === earlier.text && question.options.every(({ label }, i) => label === earlier.options[i]?.label);
  if (isLetterForLetter) return true;
  const wanted = identities(question);
  return identities(earlier).some((identity) => wanted.includes(identity));
}

function identities({ text, header, options, multiSelect }: Question): string[] {
  // With a task around it or not, it is the same question.
  const own = options.filter(({ effect }) => effect !== "cancel");
  const labels = own.map(({ label }) => plainLabel(label)).toSorted();
  const choice = JSON.stringify([labels, multiSelect]);
  const words = plain(text).replace(/[\s?.!:]+$/, "");
  const name = plain(header);
  // Without options the header alone says nothing; neither does a choice between yes and no.
  const isTelling = name !== "" && !labels.every((label) => /^(?:yes|no|ok|cancel|skip)\b/.test(label));
  return [`text ${words} ${choice}`, ...(isTelling ? [`header ${name} ${choice}`] : [])];
}

function givenIn({ options }: Question, { picks, text }: Answer): Given {
  const labels = picks.map((pick) => options[pick]?.label ?? "").toSorted();
  return { labels, text };
}

function sameAs({ labels, text }: Given): string {
  return JSON.stringify([labels.map(plainLabel).toSorted(), text === undefined ? null : plain(text)]);
}

/** The same labels among today's options, which may stand in another order. */
function again({ options }: Question, { labels, text }: Given): Answer | undefined {
  const picks = labels.map((wanted) => options.findIndex(({ label }) => plainLabel(label) === plainLabel(wanted)));
  if (picks.includes(-1)) return undefined;
  return { picks: picks.toSorted((a, b) => a - b), ...(text === undefined ? {} : { text }) };
}

function inWords({ labels, text }: Given): string {
  return safeLine([...labels, ...(text === undefined ? [] : [text])].join(", "), { max: 120 });
}

/** Short and always the same; two that collide are told apart by their full identity later. */
function digest(text: string): string {
  return [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((seed) => hash(text, seed)).join("");
}

function hash(text: string, seed: number): string {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x5bd1e995) ^ (value >>> 13);
  return (value >>> 0).toString(16).padStart(8, "0");
}
