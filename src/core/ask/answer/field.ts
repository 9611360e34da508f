import type { Answer } from "./answer.ts";
import type { Field, Question } from "../question.ts";

// Free of the schema library: the page checks what is typed too.

export const isSecret = ({ field }: Pick<Question, "field">): boolean => field?.secret === true;

export const asksSecret = ({ questions }: { questions: readonly Question[] }): boolean => questions.some(isSecret);

/** Why this text is no value of the field. Undefined: it is one. */
export function textProblem(field: Field, text: string): string | undefined {
  if (field.type === "number" || field.type === "integer") return numberProblem(field, text);
  const { min = 0, max = Infinity, format = "" } = field;
  const count = Array.from(text).length;
  if (count < min) return `At least ${characters(min)}`;
  if (count > max) return `At most ${characters(max)}`;
  return FORMATS[format]?.(text) === false ? `Not ${NAMES[format] ?? format}` : undefined;
}

/** Why so many options are not what the field takes. */
export function countProblem({ type, optional, min = 0, max = Infinity }: Field, count: number): string | undefined {
  if (type !== "choices" || (count === 0 && optional)) return undefined;
  if (count < min) return `Select at least ${min}`;
  return count > max ? `Select at most ${max}` : undefined;
}

/** What the answer is for whoever asked; undefined: the field is left empty. */
export function fieldValue({ field, options }: Question, answer: Answer): unknown {
  if (!field) return undefined;
  const { values = [] } = field;
  if (field.type === "choices") {
    const chosen = answer.picks.filter((pick) => pick < values.length).map((pick) => values[pick]);
    return chosen.length === 0 && field.optional ? undefined : chosen;
  }
  if (options.length > 0) return values[answer.picks[0] ?? -1];
  if (answer.text === undefined || answer.text === "") return undefined;
  return field.type === "text" ? answer.text : Number(answer.text);
}

/** As answers are kept: that a secret was given, not which. */
export function withoutSecrets(questions: readonly Question[], answers: readonly Answer[]): Answer[] {
  return answers.map((answer, i) => {
    const question = questions[i];
    if (!question || !isSecret(question)) return answer;
    const isGiven = answer.secret === true || (answer.text ?? "") !== "";
    return { picks: [], ...(isGiven && { secret: true as const }) };
  });
}

function numberProblem({ type, min, max }: Field, text: string): string | undefined {
  const value = Number(text);
  const isNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(value);
  if (!isNumber) return "Not a number";
  if (type === "integer" && !Number.isSafeInteger(value)) return "Not a whole number";
  if (min !== undefined && value < min) return `At least ${min}`;
  return max !== undefined && value > max ? `At most ${max}` : undefined;
}

const characters = (count: number) => `${count} ${count === 1 ? "character" : "characters"}`;

export const NAMES: Record<string, string> = {
  email: "an e-mail address",
  uri: "a whole web address",
  date: "a date such as 2030-12-31",
  "date-time": "a time such as 2030-12-31T10:00:00Z",
};

const DAY = "(\\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])";
const TIME = "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)";
const FORMATS: Record<string, (text: string) => boolean> = {
  email: (text) =>
    /^[^\s@"(),:;<>[\\\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text),
  date: (text) => new RegExp(`^${DAY}$`).test(text) && isDay(text),
  "date-time": (text) => new RegExp(`^${DAY}T${TIME}$`, "i").test(text) && isDay(text.slice(0, 10)),
};

/** No 30th of February. */
function isDay(text: string): boolean {
  const day = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text);
}
