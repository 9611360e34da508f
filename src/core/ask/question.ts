import { z } from "zod";

export { isRecommended } from "./is-recommended.ts";

/** Contract: `recommended` is said by the caller or by the label, never by the position. */
export const Option = z.looseObject({
  label: z.string(),
  description: z.string().default(""),
  preview: z.string().optional(),
  recommended: z.boolean().default(false),
  /** What picking it does (`effect.ts`), where Parley made it. Any text: a later Parley may know more of them. */
  effect: z.string().optional(),
  /** Which one, where several options have this effect: an agent, a rule, a mode. */
  target: z.string().optional(),
  /** Words given with it reach the agent, although it allows something; false: they do not, although it refuses. */
  takesNote: z.boolean().optional(),
  /** Changes more than this one thing. */
  stakes: z.literal("high").optional(),
});
export type Option = z.infer<typeof Option>;

/**
 * What a typed question takes, where whoever asks reads a value and not words. `name`: what it calls the value. `min` and
 * `max` count characters of a text, values of a choice, or are the bounds of a number.
 */
export const Field = z.looseObject({
  name: z.string(),
  /** `address`: to open it, or not. Any text: a later Parley may know more of them. */
  type: z.string(),
  optional: z.boolean().default(false),
  /** Shown to nobody and kept nowhere. */
  secret: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  format: z.string().optional(),
  /** What each option stands for; one without a value leaves the field empty. */
  values: z.array(z.unknown()).optional(),
});
export type Field = z.infer<typeof Field>;

export const Question = z.looseObject({
  text: z.string(),
  /** What it is called in lists, where its text does not say it: the call that waits for leave. */
  title: z.string().optional(),
  /** What the question is about: a command, a diff, a plan. */
  body: z.string().optional(),
  header: z.string().default(""),
  multiSelect: z.boolean().default(false),
  options: z.array(Option).default([]),
  field: Field.optional().catch(undefined),
  /** Its agent asks in the same way before a call that needs leave: nobody but a person answers it. */
  mayGuard: z.boolean().optional(),
});
export type Question = z.infer<typeof Question>;
