import { z } from "zod";

/**
 * Something Parley found out about a call itself, without running it and without a model. `how`: where it was found. What cannot be
 * told is left out, or is a fact of its own (`unknown`) that says why.
 */
export const Fact = z.looseObject({
  about: z.enum(["files", "host", "runs", "undo", "before", "change", "unknown"]).or(z.string()),
  text: z.string(),
  how: z.string(),
});
export type Fact = z.infer<typeof Fact>;

/** More than a person reads before they decide. */
export const MOST_FACTS = 16;
/** What an edit would make of its file; the same bound as a question's body. */
export const LONGEST_DIFF = 8000;
