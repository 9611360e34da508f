import { aboutOption } from "../../core/words/option-about.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import { describeUnread, SECRET } from "../../core/words/outcome/describe-answer.ts";
import { headerOf } from "../../core/ask/header.ts";
import { isRecommended, type Option, type Question } from "../../core/ask/question.ts";
import { rowOrder } from "../../core/form/rows.ts";
import { plainText } from "../../core/text/markdown.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import { NO_DETAILS } from "../../core/words/ask-words.ts";
import { fieldWords } from "../../core/words/field-words.ts";
import { FILLED_IN, prefillFor } from "../../core/words/pilot-line.ts";
import type { AskView } from "../../protocol/view.ts";
import { atMost, hang } from "./columns.ts";
import { proseLines, proseWords } from "./markdown.ts";
import { colourOf, type Page } from "./terminal.ts";

const LONGEST = { header: 60, text: 4000, label: 200, description: 500, preview: 4000, lines: 40 };

/** So many lines of what a question is about and of each preview; `hint`: how to see the others. */
type Fold = { body: number; preview: number; hint: string };
const USUAL: Fold = { body: LONGEST.lines, preview: LONGEST.lines, hint: "" };
type Sheet = Page & { fold: Fold };

/** Lines that belong together; `number`: what a person types for the option that stands there. */
export type Part = { lines: readonly string[]; number?: number };

/** Each question of an Ask as lines, with what was chosen once that is known, and until then what is filled in. */
export const questionLines = (ask: AskView, page: Page, fold = USUAL): string[][] =>
  questionParts(ask, page, fold).map((parts) => parts.flatMap(({ lines }) => lines));

export function questionParts(ask: AskView, page: Page, fold = USUAL): Part[][] {
  const { questions, outcome, state } = ask;
  const terminal = { ...page, fold };
  if (questions.length === 0) return [[{ lines: [NO_DETAILS] }]];
  const mark = state === "mismatched" ? "✗" : outcome ? "✓" : FILLED_IN;
  const answers = outcome ? outcome.answers : prefillFor(ask);
  return questions.map((question, i) => {
    const about = [...(questions.length > 1 ? [`q${i + 1}`] : []), ...aboutOf(question)];
    return [
      { lines: asked(question, about.join(", "), terminal) },
      { lines: bodyLines(question.body, ask.kind === "plan", terminal, fold.body) },
      ...rowParts(question, answers?.[i], mark, terminal),
    ];
  });
}

function aboutOf({ field, multiSelect }: Question): string[] {
  const words = field ? fieldWords(field) : "";
  return [...(multiSelect ? [field?.optional ? "any number" : "one or more"] : []), ...(words === "" ? [] : [words])];
}

function asked(question: Question, about: string, page: Page): readonly string[] {
  const header = safeLine(headerOf(question), { max: LONGEST.header }) || "Question";
  const text = safeText(question.text, { max: LONGEST.text }).trim() || NO_DETAILS;
  const around = { lead: `[${header}] `, tail: about && ` (${about})` };
  return atMost(proseLines(text, page, page.style.bold, around), LONGEST.lines);
}

/** A plan is prose; anything else is a command, a change or data. */
function bodyLines(body: string | undefined, isProse: boolean, sheet: Sheet, most: number): string[] {
  const { style, width, fold } = sheet;
  if (!isProse || !body?.trim() || width === Infinity) return previewLines(body, sheet, most).map(style.dim);
  const text = safeText(body, { max: LONGEST.preview }).trim();
  const lines = proseLines(text, { style, width: Math.max(2, width - LEAD.length) }, (line) => line);
  return folded(lines, most, fold.hint).map((line) => `${style.dim(LEAD)}${line}`.trimEnd());
}

/** Other has a line of its own where the number behind it is another's. */
function rowParts(question: Question, answer: Answer | undefined, mark: string, terminal: Sheet): Part[] {
  const rows = rowOrder(question);
  const said = { lines: ownWords(answer, mark, terminal, question.field !== undefined) };
  const isNamed = rows.at(-1) !== question.options.length && answer?.text === undefined;
  const parts = rows.map((row, i): Part => {
    const option = question.options[row];
    if (!option) return isNamed ? { lines: optionLines(OTHER, `  ${i + 1}. `, terminal), number: i + 1 } : said;
    const lead = `${answer?.picks.includes(row) ? mark : " "} ${i + 1}. `;
    return { lines: optionLines(option, lead, terminal), number: i + 1 };
  });
  const isSaid = rows.includes(question.options.length) && !isNamed;
  return isSaid ? parts : [...parts, said];
}

const OTHER: Option = { label: "Other", description: "Your own words", recommended: false };

function optionLines(option: Option, lead: string, sheet: Sheet): string[] {
  const { style, width, fold } = sheet;
  const label = safeLine(option.label, { max: LONGEST.label });
  const advice = [
    option.recommended && !isRecommended(label) ? " (recommended)" : "",
    option.stakes === "high" ? " (high stakes)" : "",
  ].join("");
  const description = safeLine(aboutOption(option), { max: LONGEST.description });
  const isMarked = !lead.startsWith(" ");
  // A marked one has one colour.
  const words = isMarked ? plainText(description) : proseWords(description, { style, width });
  const lines = hang(lead, `${label}${advice}${words && ` - ${words}`}`, width);
  const painted = isMarked ? lines.map(colourOf(lead, style)) : lines;
  return [...painted, ...previewLines(option.preview, sheet, fold.preview).map(style.dim)];
}

/** Not joined or trimmed: a preview is a drawing or code. */
function previewLines(preview: string | undefined, { width, fold: { hint } }: Sheet, most: number): string[] {
  if (!preview?.trim()) return [];
  const text = safeText(preview, { max: LONGEST.preview }).trimEnd();
  const whole = width === Infinity ? text : Bun.wrapAnsi(text, Math.max(2, width - LEAD.length), WITHOUT_WORDS);
  return folded(whole.split("\n"), most, hint).map((line) => `${LEAD}${line}`.trimEnd());
}

const LEAD = "     │ ";
const WITHOUT_WORDS = { hard: true, wordWrap: false, trim: false };

function folded(lines: readonly string[], most: number, hint: string): readonly string[] {
  const left = lines.length - most;
  return left <= 0 ? lines : [...lines.slice(0, most), `… ${most > 0 ? `${left} more` : left} lines${hint}`];
}

function ownWords(answer: Answer | undefined, mark: string, { style, width }: Page, isTyped: boolean): string[] {
  const said = (lead: string, words: string | undefined) =>
    words === undefined
      ? []
      : atMost(hang(lead, safeText(words, { max: LONGEST.text }), width, colourOf(mark, style)), LONGEST.lines);
  const unread =
    answer?.unread === undefined
      ? []
      : hang("✗ ", safeLine(describeUnread(answer.unread), { max: LONGEST.text }), width, style.red);
  return [
    ...unread,
    ...said(`${mark} ${isTyped ? "" : "Other: "}`, answer?.secret ? SECRET : answer?.text),
    ...said("  Note: ", answer?.note),
  ];
}

/** The same with the options last and in view: what does not fit into so many lines is folded, previews first. */
export function fittedQuestion(ask: AskView, page: Page, rows: number, hint: string): string[] {
  const draw = (body: number, preview: number) => questionLines(ask, page, { body, preview, hint }).flat();
  const whole = draw(LONGEST.lines, LONGEST.lines);
  if (whole.length <= rows) return whole;
  const folded = draw(LONGEST.lines, 0);
  const bodies = ask.questions.filter(({ body }) => body?.trim()).length;
  const over = folded.length - rows + bodies;
  return folded.length <= rows || bodies === 0 ? folded : draw(Math.max(1, LONGEST.lines - over), 0);
}

/** All that was folded. */
export function wholeTexts({ kind, questions }: AskView, page: Page): string[] {
  const sheet = { ...page, fold: USUAL };
  return questions.flatMap(({ body, options }) => [
    ...bodyLines(body, kind === "plan", sheet, Infinity),
    ...options.flatMap(({ preview }) => previewLines(preview, sheet, Infinity)).map(page.style.dim),
  ]);
}
