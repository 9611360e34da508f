import { z } from "zod";

// Apart from the form's logic: the web page runs that, and may not load a schema library.

/** What a person has entered for one question, chosen or not: `text` outlives the moment Other is unselected. */
export const FormEntry = z.object({
  picks: z.array(z.number().int().nonnegative()),
  other: z.boolean(),
  text: z.string(),
  note: z.string(),
});
export type FormEntry = z.infer<typeof FormEntry>;

export const FormDraft = z.object({ current: z.number().int().nonnegative(), entries: z.array(FormEntry) });
export type FormDraft = z.infer<typeof FormDraft>;
