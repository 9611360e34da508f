import { z } from "zod";

/** Where a value comes from. */
export const Source = z.discriminatedUnion("from", [
  z.looseObject({ from: z.literal("default") }),
  /** `wrong`: what stands there cannot be read, and the value is what counts instead. */
  z.looseObject({
    from: z.enum(["user", "project"]),
    file: z.string(),
    line: z.number(),
    column: z.number(),
    wrong: z.boolean().optional(),
  }),
  z.looseObject({ from: z.literal("environment"), name: z.string() }),
]);
export type Source = z.infer<typeof Source>;

/** One setting as it may be shown: of what is secret, only that it is set. */
export const Entry = z.looseObject({ key: z.string(), value: z.unknown(), about: z.string(), source: Source });
export type Entry = z.infer<typeof Entry>;

/** `line` and `column` are missing where it is about the whole file, `key` where it is about none. */
export const ConfigProblem = z.looseObject({
  file: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  key: z.string().optional(),
  message: z.string(),
});
export type ConfigProblem = z.infer<typeof ConfigProblem>;

/** What is in force, and why. `project` is the file of the project asked about, whether it exists or not. */
export const ConfigView = z.looseObject({
  user: z.string(),
  project: z.string().optional(),
  entries: z.array(Entry),
  problems: z.array(ConfigProblem),
});
export type ConfigView = z.infer<typeof ConfigView>;
