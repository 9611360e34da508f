/** `npm run soak -- cases` plays long tables whole; the suite plays of each what differs in kind. */
const ALL = process.env["PARLEY_TEST_CASES"] === "all";

export const fewOf = <T>(all: readonly T[], keep: (one: T, place: number) => boolean): T[] =>
  ALL ? [...all] : all.filter(keep);
