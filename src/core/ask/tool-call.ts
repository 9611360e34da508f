import { z } from "zod";

/**
 * What a call does, as far as a grant can be about it. Only where all of its input is known to be harmless beside this:
 * one with a field that changes what it may do (a switched-off sandbox) has none, and is always asked about.
 */
export const ToolCall = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("command"), command: z.string() }),
  z.looseObject({ type: z.literal("write"), path: z.string() }),
  z.looseObject({ type: z.literal("read"), path: z.string() }),
  z.looseObject({ type: z.literal("fetch"), url: z.string() }),
]);
export type ToolCall = z.infer<typeof ToolCall>;
