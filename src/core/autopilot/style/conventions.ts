import type { Question } from "../../ask/question.ts";
import { labelKind } from "../category/label-kind.ts";
import { NAMES } from "../gate/language/names.ts";
import { plainLabel } from "../plain.ts";

/** A file that is counted in: its name without folders, and its text. */
export type CodeFile = { name: string; text: string };
/** How often a file follows what an option names. */
type Count = (file: CodeFile) => number;

const times =
  (pattern: RegExp): Count =>
  ({ text }) =>
    text.match(pattern)?.length ?? 0;
const named =
  (pattern: RegExp): Count =>
  ({ name }) =>
    pattern.test(name.replace(/\..*$/, "")) ? 1 : 0;

/** What code is counted for, by the words labels use. The first that is in a label counts. */
const CONVENTIONS: readonly [words: RegExp, inText: Count, inNames?: Count][] = [
  [/camel ?case/, times(/(?<![\w$-])[a-z]+[0-9]*(?:[A-Z][a-z0-9]*)+(?![\w$-])/g), named(/^[a-z]+(?:[A-Z][a-z0-9]*)+$/)],
  [/pascal ?case|upper camel/, times(/(?<![\w$-])(?:[A-Z][a-z0-9]+){2,}(?![\w$-])/g), named(/^(?:[A-Z][a-z0-9]+)+$/)],
  [/snake[ _]?case/, times(/(?<![\w$-])[a-z]+[0-9]*(?:_[a-z0-9]+)+(?![\w$-])/g), named(/^[a-z0-9]+(?:_[a-z0-9]+)+$/)],
  [/kebab[ -]?case/, times(/(?<![\w$-])[a-z]+(?:-[a-z0-9]+)+(?![\w$-])/g), named(/^[a-z0-9]+(?:-[a-z0-9]+)+$/)],
  [/^tabs?(?! ?=)/, times(/^\t+\S/gm)],
  [/(?:^|\D)(?:4|four)[ -]spaces?/, times(/^(?: {4})+(?! )\S/gm)],
  [/(?:^|\D)(?:2|two)[ -]spaces?/, times(/^ {2}(?: {4})*(?! )\S/gm)],
  [/^spaces?/, times(/^ {2,}\S/gm)],
  [/single(?: |-)?(?:quotes?)?$|^single/, times(/'[^'\n"]{0,80}'/g)],
  [/double(?: |-)?(?:quotes?)?$|^double/, times(/"[^"\n']{0,80}"/g)],
  [/^(?:no|without|omit) semicolons?/, times(/[\w)\]'"`]$/gm)],
  [/semicolons?/, times(/;$/gm)],
];
const ABOUT_FILES = /\bfile(?:s|names?)?\b/i;

/** For each option how it is counted; undefined: code says nothing about one of them. */
export function countersFor({ text, header, options, multiSelect }: Question): (Count | undefined)[] | undefined {
  if (multiSelect) return undefined;
  const isOfFiles = ABOUT_FILES.test(`${header} ${text}`);
  const counters = options.map(({ label, description }) => {
    const words = plainLabel(label);
    const known = CONVENTIONS.find(([convention]) => convention.test(words));
    if (known) return isOfFiles ? (known[2] ?? known[1]) : known[1];
    if (labelKind(label, description) !== "content") return undefined;
    const bare = label.replace(/\s*\(.*\)$/, "").trim();
    // "Grid" is a word like any other; a library's name stands in code where it is used.
    return NAMES.has(bare)
      ? times(new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(bare)}(?![\\p{L}\\p{N}])`, "gu"))
      : null;
  });
  const counted = counters.filter((each) => typeof each === "function");
  if (counted.length < 2 || counters.includes(null)) return undefined;
  return counters.map((each) => each ?? undefined);
}

const FEWEST = 10;
const TIMES_AS_OFTEN = 5;

/** The option that the code follows; `why` has the numbers, most first. */
export function followed(
  { options }: Question,
  counts: readonly (number | undefined)[],
): { pick?: number; why: string } {
  const found = counts.flatMap((count, index) => (count === undefined ? [] : [{ index, count }]));
  const [first, second] = found.toSorted((a, b) => b.count - a.count);
  const shown = found
    .toSorted((a, b) => b.count - a.count)
    .map(({ index, count }) => `${options[index]?.label.replace(/\s*\((?:recommended|default)\)$/i, "")} ${count}`);
  const why = shown.join(" : ");
  const isClear = first && first.count >= FEWEST && first.count >= TIMES_AS_OFTEN * Math.max(1, second?.count ?? 0);
  return isClear ? { pick: first.index, why } : { why: `the code does not say: ${why}` };
}
