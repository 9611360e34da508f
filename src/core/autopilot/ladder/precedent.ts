import type { Answer } from "../../ask/answer/answer.ts";
import type { Ask } from "../../ask/ask.ts";
import { describeAnswer, isUnread } from "../../words/outcome/describe-answer.ts";
import type { Question } from "../../ask/question.ts";
import { safeLine } from "../../text/text.ts";
import { digest } from "../digest.ts";
import { plain, plainLabel } from "../plain.ts";
import { choiceOf, templateIdentity } from "../trust/template.ts";

/** What earlier answers to the same question say now. `answer` is there where all of them agree and can be given again. */
export type Weighed = { count: number; answer?: Answer; why: string };

type Given = { labels: string[]; text: string | undefined };

/** Names by which the same question is found again: its text, its template or its header, each with the options. */
export function keysOf({ questions }: Pick<Ask, "questions">): string[] {
  return [...new Set(questions.flatMap((question) => identities(question).map(digest)))];
}

/** After an answer that differed, precedents speak again when so many in a row were the same. */
const SETTLED_AGAIN = 5;

/** Contract: only a person's answers count, or a rule would confirm itself; of their own words none is like another. */
export function weigh(question: Question, precedents: readonly Ask[]): Weighed {
  const wanted = precedents.length === 0 ? [] : identities(question);
  const earlier = precedents.flatMap((ask) => answersTo(question, wanted, ask));
  const [newest] = earlier;
  const count = earlier.length;
  if (!newest) return { count, why: "it was not asked here before" };
  if (newest.text !== undefined) return { count, why: `answered in your own words before: "${inWords(newest)}"` };
  const other = earlier.findIndex((given) => sameAs(given) !== sameAs(newest));
  const inRow = other < 0 ? count : other;
  if (other >= 0 && inRow < SETTLED_AGAIN) {
    const distinct = new Map(earlier.map((given) => [sameAs(given), given]));
    const said = [...distinct.values()].slice(0, 3).map((given) => `"${inWords(given)}"`);
    return { count, why: `earlier answers contradict each other: ${said.join(", ")}` };
  }
  const answer = again(question, newest);
  const times =
    other >= 0 ? `the last ${inRow} times the same` : count === 1 ? "once" : `${count} times, always the same`;
  if (!answer) return { count, why: `answered ${times}, but "${inWords(newest)}" is not offered now` };
  return { count, answer, why: `answered ${times}: "${inWords(newest)}"` };
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
    if (!answer || !now || choiceIn(question, now) === choiceIn(question, answer)) return [];
    const before = count === 1 ? "before" : `${count} times before`;
    return [`Answered "${describeAnswer(question, answer)}" ${before}, now "${describeAnswer(question, now)}"`];
  });
  return sentences.length === 0 ? undefined : sentences.join("; ");
}

function answersTo(question: Question, wanted: readonly string[], { questions, outcome }: Ask): Given[] {
  const isPersons = outcome?.actor.type === "person" && ["answered", "answered-elsewhere"].includes(outcome.type);
  if (!isPersons) return [];
  return questions.flatMap((earlier, i) => {
    const answer = outcome.answers?.[i];
    return answer && !isUnread(answer) && isSame(question, wanted, earlier) ? [givenIn(earlier, answer)] : [];
  });
}

function isSame(question: Question, wanted: readonly string[], earlier: Question): boolean {
  if (question.multiSelect !== earlier.multiSelect || question.options.length !== earlier.options.length) return false;
  // Mostly it is the same to the letter, or a header that tells is.
  const isByHeader = wanted.length > NAMELESS && question.header === earlier.header;
  const isLetterForLetter =
    (isByHeader || question.text === earlier.text) &&
    question.options.every(({ label }, i) => label === earlier.options[i]?.label);
  if (isLetterForLetter) return true;
  return identities(earlier).some((identity) => wanted.includes(identity));
}

/** So many identities has a question whose header tells nothing. */
const NAMELESS = 2;

function identities(question: Question): string[] {
  const { text, header, options } = question;
  const choice = choiceOf(question);
  const words = plain(text).replace(/[\s?.!:]+$/, "");
  const name = plain(header);
  // Without options the header alone says nothing; neither does a choice between yes and no.
  const isTelling =
    name !== "" && !options.every(({ label }) => /^(?:yes|no|ok|cancel|skip)\b/.test(plainLabel(label)));
  const byHeader = isTelling ? [`header ${name} ${choice}`] : [];
  return [`text ${words} ${choice}`, templateIdentity(question), ...byHeader];
}

/** What was chosen, whatever the order of the options; the same text for the same choice. */
export function choiceIn(question: Question, answer: Answer): string {
  return sameAs(givenIn(question, answer));
}

function givenIn({ options }: Question, { picks, text }: Answer): Given {
  const labels = picks.map((pick) => options[pick]?.label ?? "").toSorted();
  return { labels, text };
}

function sameAs({ labels, text }: Given): string {
  return JSON.stringify([labels.map(plainLabel).toSorted(), text === undefined ? null : plain(text)]);
}

/** The same labels among today's options, which may stand in another order. */
function again({ options }: Question, { labels }: Given): Answer | undefined {
  const picks = labels.map((wanted) => options.findIndex(({ label }) => plainLabel(label) === plainLabel(wanted)));
  return picks.includes(-1) ? undefined : { picks: picks.toSorted((a, b) => a - b) };
}

function inWords({ labels, text }: Given): string {
  return safeLine([...labels, ...(text === undefined ? [] : [text])].join(", "), { max: 120 });
}
