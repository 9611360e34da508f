/** What is told of an Ask lies a few levels deeper than what was asked, which has a hundred. */
const DEEPEST = 200;

/** May whoever gets this JSON walk it by recursion? */
export const isShallow = (value: unknown, left = DEEPEST): boolean =>
  typeof value !== "object" ||
  value === null ||
  (left > 0 && Object.values(value).every((part) => isShallow(part, left - 1)));
