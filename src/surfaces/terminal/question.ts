import type { Answer } from "../../core/ask/answer.ts";
import { describeUnread } from "../../core/words/describe-answer.ts";
import { headerOf } from "../../core/ask/header.ts";
import { isRecommended, type Option, type Question } from "../../core/ask/question.ts";
import { rowOrder } from "../../core/form/rows.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import { NO_DETAILS } from "../../core/words/ask-words.ts";
import type { AskView } from "../../protocol/view.ts";
import { atMost, hang, wrap } from "./columns.ts";
import { colourOf, type Page } from "./terminal.ts";

const LONGEST = { header: 60, text: 4000, label: 200, description: 500, preview: 4000, lines: 40 };

/** So many lines of what a question is about and of each preview; `hint`: how to see the others. */
type Fold = { body: number; preview: number; hint: string };
const USUAL: Fold = { body: LONGEST.lines, preview: LONGEST.lines, hint: "" };
type Sheet = Page & { fold: Fold };

/** Each question of an Ask as lines, with what was chosen once that is known. */
export function questionLines({ questions, outcome, state }: AskView, page: Page, fold = USUAL): string[][] {
  const terminal = { ...page, fold };
  if (questions.length === 0) return [[NO_DETAILS]];
  const mark = state === "mismatched" ? "✗" : "✓";
  return questions.map((question, i) => {
    const about = [...(questions.length > 1 ? [`q${i + 1}`] : []), ...(question.multiSelect ? ["one or more"] : [])];
    return [
      ...asked(question, about.join(", "), terminal),
      ...previewLines(question.body, terminal, fold.body).map(terminal.style.dim),
      ...rowLines(question, outcome?.answers?.[i], mark, terminal),
    ];
  });
}

function asked(question: Question, about: string, { style, width }: Page): string[] {
  const header = safeLine(headerOf(question), { max: LONGEST.header }) || "Question";
  const text = safeText(question.text, { max: LONGEST.text }).trim() || NO_DETAILS;
  return atMost(wrap(`[${header}] ${text}${about && ` (${about})`}`, width), LONGEST.lines).map(style.bold);
}

/** Other has a line of its own where the number behind it is another's. */
function rowLines(question: Question, answer: Answer | undefined, mark: string, terminal: Sheet): string[] {
  const rows = rowOrder(question);
  const said = ownWords(answer, mark, terminal);
  const isNamed = rows.at(-1) !== question.options.length && answer?.text === undefined;
  const lines = rows.flatMap((row, i) => {
    const option = question.options[row];
    if (!option) return isNamed ? optionLines(OTHER, `  ${i + 1}. `, terminal) : said;
    return optionLines(option, `${answer?.picks.includes(row) ? mark : " "} ${i + 1}. `, terminal);
  });
  const isSaid = rows.includes(question.options.length) && !isNamed;
  return isSaid ? lines : [...lines, ...said];
}

const OTHER: Option = { label: "Other", description: "Your own words", recommended: false };

function optionLines(option: Option, lead: string, sheet: Sheet): string[] {
  const { style, width, fold } = sheet;
  const label = safeLine(option.label, { max: LONGEST.label });
  const advice = [
    option.recommended && !isRecommended(label) ? " (recommended)" : "",
    option.stakes === "high" ? " (high stakes)" : "",
  ].join("");
  const description = safeLine(option.description, { max: LONGEST.description });
  const lines = hang(lead, `${label}${advice}${description && ` - ${description}`}`, width);
  const painted = lead.startsWith(" ") ? lines : lines.map(colourOf(lead, style));
  return [...painted, ...previewLines(option.preview, sheet, fold.preview).map(style.dim)];
}

/** Not joined or trimmed: a preview is a drawing or code. */
function previewLines(preview: string | undefined, { width, fold: { hint } }: Sheet, most: number): string[] {
  if (!preview?.trim()) return [];
  const lead = "     │ ";
  const text = safeText(preview, { max: LONGEST.preview }).trimEnd();
  const whole = width === Infinity ? text : Bun.wrapAnsi(text, Math.max(2, width - lead.length), WITHOUT_WORDS);
  const lines = whole.split("\n");
  const left = lines.length - most;
  const shown = left <= 0 ? lines : [...lines.slice(0, most), `… ${most > 0 ? `${left} more` : left} lines${hint}`];
  return shown.map((line) => `${lead}${line}`.trimEnd());
}

const WITHOUT_WORDS = { hard: true, wordWrap: false, trim: false };

function ownWords(answer: Answer | undefined, mark: string, { style, width }: Page): string[] {
  const said = (lead: string, words: string | undefined) =>
    words === undefined
      ? []
      : atMost(hang(lead, safeText(words, { max: LONGEST.text }), width, colourOf(mark, style)), LONGEST.lines);
  const unread =
    answer?.unread === undefined
      ? []
      : hang("✗ ", safeLine(describeUnread(answer.unread), { max: LONGEST.text }), width, style.red);
  return [...unread, ...said(`${mark} Other: `, answer?.text), ...said("  Note: ", answer?.note)];
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
export function wholeTexts(ask: AskView, page: Page): string[] {
  const texts = ask.questions.flatMap(({ body, options }) => [body, ...options.map(({ preview }) => preview)]);
  const sheet = { ...page, fold: { ...USUAL, hint: "" } };
  return texts.flatMap((text) => previewLines(text, sheet, Infinity)).map((line) => page.style.dim(line));
}
