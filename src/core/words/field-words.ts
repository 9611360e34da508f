import { NAMES } from "../ask/answer/field.ts";
import type { Field } from "../ask/question.ts";

/** What a field takes, as it stands beside it: `a whole number, 1 to 5 · optional`. Empty: anything. */
export function fieldWords(field: Field): string {
  const { optional, secret } = field;
  return [takes(field), secret ? "secret: shown and kept nowhere" : "", optional ? "optional" : ""]
    .filter((part) => part !== "")
    .join(" · ");
}

function takes({ type, format = "", min, max }: Field): string {
  if (type === "number") return ["a number", range(min, max)].filter(Boolean).join(", ");
  if (type === "integer") return ["a whole number", range(min, max)].filter(Boolean).join(", ");
  if (type === "choices") return range(min, max) && `${range(min, max)} of them`;
  if (type !== "text") return "";
  return [NAMES[format] ?? "", range(min, max) && `${range(min, max)} characters`].filter(Boolean).join(", ");
}

function range(min: number | undefined, max: number | undefined): string {
  if (min === undefined || (min === 0 && max !== undefined)) return max === undefined ? "" : `at most ${max}`;
  if (max === undefined) return min === 0 ? "" : `at least ${min}`;
  return min === max ? `${min}` : `${min} to ${max}`;
}
