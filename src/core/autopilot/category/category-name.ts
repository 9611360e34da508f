import { z } from "zod";

export const CATEGORIES = [
  "confirmation",
  "style-preference",
  "scope-selection",
  "architecture-decision",
  "open-floor",
  "delegation",
  "unclassifiable",
] as const;
/** What kind of question it is: each kind has its own way to an answer. */
export const Category = z.enum(CATEGORIES);
export type Category = z.infer<typeof Category>;
