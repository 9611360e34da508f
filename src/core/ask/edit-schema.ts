import { z } from "zod";

/** The part of a call that a person may change before they allow it. `unlike`: what it must not become. */
export const Editable = z.looseObject({
  what: z.enum(["command", "content"]),
  text: z.string(),
  unlike: z.string().optional(),
});
export type Editable = z.infer<typeof Editable>;

/** What a person made of it: that is what runs. */
export const Changed = z.looseObject({ what: z.enum(["command", "content"]), text: z.string(), diff: z.string() });
export type Changed = z.infer<typeof Changed>;
