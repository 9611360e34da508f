import { z } from "zod";

type Parsed<T> = { success: true; data: T; error?: never } | { success: false; error: z.ZodError; data?: never };

/**
 * As `safeParse`, and as safe: zod (4.6) throws where a text with a limit is wanted and an object comes whose `length` cannot
 * be compared.
 */
export function safelyParse<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  try {
    return schema.safeParse(value);
  } catch {
    return {
      success: false,
      error: new z.ZodError([{ code: "custom", path: [], message: "Invalid input", input: value }]),
    };
  }
}
