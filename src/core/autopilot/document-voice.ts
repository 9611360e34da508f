import { safeLine } from "../text/text.ts";
import { holdsWords, plain } from "./plain.ts";
import type { ProjectDocument } from "./category/subject.ts";

/** What the project's documents say about some labels: the ones they speak for, each with the line. */
export type Voice = { index: number; document: string; line: string };

const AGAINST =
  /(?<![\p{L}])(?:not|no|never|avoid|without|against|instead of|rather than|rejected?|deprecated|don't|do not|drop(?:ped)?|replaced?|out of scope|won't|unlike)(?![\p{L}])/u;
const BULLET = /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/i;
const SHORTEST = 3;
const LONGEST_DOCUMENT = 200_000;

/** Contract: a line that names two of the labels, or speaks against one, says nothing for any. */
export function voicesFor(labels: readonly string[], documents: readonly ProjectDocument[]): Voice[] {
  const names = labels.map((label) => plain(label));
  return documents.flatMap(({ name, text }) =>
    text
      .slice(0, LONGEST_DOCUMENT)
      .split("\n")
      .flatMap((raw): Voice[] => {
        const line = plain(raw.slice(0, 500));
        const named = names.flatMap((label, i) => (label.length >= SHORTEST && holdsWords(line, label) ? [i] : []));
        const [index] = named;
        if (index === undefined || named.length > 1 || AGAINST.test(line)) return [];
        return [{ index, document: name, line: safeLine(raw.replace(BULLET, ""), { max: 160 }) }];
      }),
  );
}

/** The one label the documents speak for; none where they speak for several. */
export function onlyVoice(labels: readonly string[], documents: readonly ProjectDocument[]): Voice | undefined {
  const voices = voicesFor(labels, documents);
  const [first] = voices;
  return first && voices.every(({ index }) => index === first.index) ? first : undefined;
}

/** Items of a list that also holds at least two of the labels: what the documents ask for beyond the options. */
export function beyondOptions(labels: readonly string[], documents: readonly ProjectDocument[]): string[] {
  const names = labels.map((label) => plain(label)).filter((label) => label.length >= SHORTEST);
  const isOffered = (item: string) => names.some((label) => holdsWords(plain(item), label));
  return documents.flatMap(({ text }) =>
    listsIn(text.slice(0, LONGEST_DOCUMENT))
      .filter((items) => items.filter(isOffered).length >= 2)
      .flatMap((items) => items.filter((item) => !isOffered(item) && !AGAINST.test(plain(item)))),
  );
}

function listsIn(text: string): string[][] {
  const lists: string[][] = [[]];
  for (const line of text.split("\n")) {
    if (BULLET.test(line)) lists.at(-1)?.push(safeLine(line.replace(BULLET, ""), { max: 200 }));
    else lists.push([]);
  }
  return lists.filter((items) => items.length > 0);
}
