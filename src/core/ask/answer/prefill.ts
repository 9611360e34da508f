import type { Answer } from "./answer.ts";
import { readLabelList } from "../../receipt/label-list.ts";
import type { Question } from "../question.ts";

/** Reads an answer given along with the question: `Auth, Search, fuzzy`, `Auth, Other: my own`. */
export function parsePrefill(question: Question, value: string): Answer {
  const labels = question.options.map((option) => option.label);
  const whole = labels.indexOf(value.trim());
  if (whole !== -1) return { picks: [whole] };

  const { listed, other } = cutOther(value);
  const elements = readLabelList(labels, listed);
  const [first] = elements;
  if (!question.multiSelect && typeof first === "number") return { picks: [first] };
  if (!question.multiSelect) return answerOf([], [listed.trim(), other]);

  const picks = elements.filter((element) => typeof element === "number");
  const texts = elements.filter((element) => typeof element === "string");
  return answerOf(picks, [...texts, other]);
}

/** `Other:` counts at the start of an element only; in the middle of a text it is part of that text. */
function cutOther(value: string): { listed: string; other: string } {
  const match = /(?:^|,)\s*other:/i.exec(value);
  if (!match) return { listed: value, other: "" };
  return { listed: value.slice(0, match.index), other: value.slice(match.index + match[0].length).trim() };
}

function answerOf(picks: readonly number[], texts: readonly string[]): Answer {
  const text = texts.filter((part) => part !== "").join(", ");
  const sorted = [...new Set(picks)].toSorted((a, b) => a - b);
  return text === "" ? { picks: sorted } : { picks: sorted, text };
}
