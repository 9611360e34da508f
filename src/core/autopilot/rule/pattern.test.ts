import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { compilePattern } from "./pattern.ts";

const refusal = (source: string): string => {
  try {
    compilePattern(source);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test("[AL1] a pattern is found anywhere in a text, whatever its case", () => {
  const cases: [string, string, boolean][] = [
    ["^yes", "YES, go on", true],
    ["^yes", "oh yes", false],
    ["deploy(ed)? to (prod|production)$", "It was deployed to Production", true],
    [String.raw`\bpush\b`, "force push now", true],
    [String.raw`\bpush\b`, "pushed", false],
    [String.raw`v\d{1,3}\.\d+`, "Ship V12.4?", true],
    ["[^a-z ]", "only letters here", false],
    ["é+", "CAFÉ", true],
  ];
  for (const [source, text, found] of cases) expect([source, compilePattern(source)(text)]).toEqual([source, found]);
});

test("[AL1] a pattern says what the engine's own regular expressions say", () => {
  const atom = fc.constantFrom(
    "a",
    "b",
    "ab",
    ".",
    "[ab]",
    "[^a]",
    String.raw`\d`,
    String.raw`\b`,
    "(?:a|b)",
    "(ab|b)",
  );
  const part = fc.tuple(atom, fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{2,}"));
  const source = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => parts.map(([body, sign]) => (body === String.raw`\b` ? body : body + sign)).join(""));
  const whole = fc
    .tuple(fc.constantFrom("", "^"), source, fc.constantFrom("", "$", "|b$"))
    .map((each) => each.join(""));
  const text = fc.string({ unit: fc.constantFrom("a", "b", "1", " ", "A"), maxLength: 12 });
  fc.assert(
    fc.property(whole, text, (pattern, seen) => {
      expect(compilePattern(pattern)(seen)).toBe(new RegExp(pattern, "i").test(seen));
    }),
    { numRuns: 2000 },
  );
});

test("[AL2] no pattern hangs, whatever text a model writes", () => {
  const evil = [
    "^(a+)+$",
    "^(a|aa)+$",
    "^(a*)*b",
    "a*a*a*a*a*a*a*b",
    "(.*)(.*)(.*)(.*)x$",
    "^([a-z]+)*1",
    "(a{0,20}){20}b",
  ];
  const text = `${"a".repeat(9999)}!`;
  expect(evil.map((source) => compilePattern(source)(text))).toEqual(evil.map(() => false));
});

test("[AL3] what cannot be matched in linear time, or is no pattern, is refused in a sentence", () => {
  expect(refusal("(?=a)b")).toBe(
    "This pattern cannot be used: looking around and naming groups are not possible, at 1",
  );
  expect(refusal(String.raw`(a)\1`)).toBe(String.raw`This pattern cannot be used: \1 is not possible here`);
  expect(refusal("((a{100}){100}){100}")).toBe("This pattern cannot be used: it repeats too much");
  expect(refusal("a".repeat(201))).toBe("This pattern cannot be used: it is longer than 200 characters");
  expect(refusal("(a")).toBe('This pattern cannot be used: a ")" is missing');
  expect(refusal("a)")).toBe('This pattern cannot be used: there is a ")" too many at 2');
  expect(refusal("[a")).toBe('This pattern cannot be used: a "]" is missing');
  expect(refusal("*a")).toBe("This pattern cannot be used: there is nothing to repeat at 1");
  expect(refusal("a{3,1}")).toBe("This pattern cannot be used: {3,1} is no range up to 100");
});
