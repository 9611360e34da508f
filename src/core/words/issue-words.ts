import type { z } from "zod";

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};
const kind = (name: string) => KINDS[name] ?? name;

/** What a schema has against a value, as a sentence. What its author put into words of their own stays. */
export function issueWords(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  if (!/^(Invalid|Too |Unrecognized)/.test(message)) return message;
  switch (issue.code) {
    case "invalid_type": {
      const received = /received (\w+)$/.exec(message)?.[1];
      if (received === "undefined") return `is missing; expected ${kind(issue.expected)}`;
      const isClear = received === undefined || kind(issue.expected).endsWith(kind(received).slice(2));
      return `expected ${kind(issue.expected)}${isClear ? "" : `, not ${kind(received)}`}`;
    }
    case "too_small":
      return sized(issue.origin, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return sized(issue.origin, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "invalid_value":
      return `expected ${listed(issue.values.map(String))}`;
    case "unrecognized_keys":
      return `${issue.keys.join(", ")} ${issue.keys.length === 1 ? "is" : "are"} unknown`;
    case "invalid_union": {
      const known = [...(/Expected (.+)$/.exec(message)?.[1]?.matchAll(/'([^']+)'/g) ?? [])].map(
        ([, name = ""]) => name,
      );
      return known.length > 0 ? `expected ${listed(known)}` : "is nothing Parley knows here";
    }
    case "invalid_format":
      return `has the wrong format (expected ${issue.format})`;
    case "custom":
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
      return message;
  }
}

const listed = (names: readonly string[]) => names.join(", ").replace(/, (?=[^,]*$)/, " or ");

function sized(origin: string, count: number, bound: string): string {
  if (origin === "string" && count === 1 && bound === "at least") return "must not be empty";
  const unit = origin === "string" ? "character" : origin === "array" ? "entry" : "";
  if (unit === "") return `expected ${bound} ${count}`;
  const many = count === 1 ? unit : unit === "entry" ? "entries" : `${unit}s`;
  return bound === "at least" ? `expected at least ${count} ${many}` : `at most ${count} ${many} allowed`;
}
