import { ParleyError, type Problem } from "../../core/error.ts";
import { truncate } from "../../core/text/text.ts";

/** No agent's tool call comes near: deeper JSON overflows the stack of whoever walks it, more values cost seconds each. */
const DEEPEST = 100;
const MOST_VALUES = 100_000;
/** A mebibyte of mistakes must not become a hundred of complaints. */
const MOST_PROBLEMS = 100;
const LONGEST = { message: 2000, problem: 500 };

/** Contract: throws unless everything in a parsed body may be walked, by recursion too. */
export function assertBounded(body: unknown): void {
  let values = 0;
  walk(body, 0);

  function walk(value: unknown, depth: number): void {
    if (++values > MOST_VALUES) throw new ParleyError("too_large", `A body has at most ${MOST_VALUES} values`);
    if (typeof value !== "object" || value === null) return;
    if (depth === DEEPEST) throw new ParleyError("too_large", `A body is nested at most ${DEEPEST} deep`);
    if (Array.isArray(value)) for (const inner of value) walk(inner, depth + 1);
    else for (const key in value) walk((value as Record<string, unknown>)[key], depth + 1);
  }
}

/** What is said of a mistake, in an amount that can be read. */
export function boundedError(message: string, problems: readonly Problem[]): { message: string; problems: Problem[] } {
  const short = (text: string) => truncate(text, LONGEST.problem);
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => ({
    ...problem,
    field: short(problem.field),
    message: short(problem.message),
    ...(problem.actual !== undefined && { actual: short(problem.actual) }),
  }));
  const left = problems.length - shown.length;
  if (left > 0) shown.push({ field: "…", message: `${left} more problems` });
  return { message: truncate(message, LONGEST.message), problems: shown };
}
