import { z } from "zod";
import { parseQuiet } from "./quiet.ts";
import { kindOf } from "../record.ts";
import { safeLine } from "../text/text.ts";

/** What is known about one key besides its schema. */
export type KeyInfo = {
  about: string;
  /**
   * A project's own file may set it: to anything, or only to `false`; `apart`: what it sets is kept beside the person's own.
   * All others are for the person alone.
   */
  project?: "any" | "off" | "apart";
  /** What is not shown of its value: all of it, or of an address what comes after the host. */
  hide?: "whole" | "path";
  env?: string;
  /** What counts while a person's own value of it cannot be read: with the default more could happen than they allow. */
  strict?: unknown;
};
export const KEYS = z.registry<KeyInfo>();

export const seconds = (most: number) => whole(0, most);
export const section = { error: (issue: { input?: unknown }) => `expected a table, not ${shown(issue.input)}` };

export function flag(otherwise: boolean) {
  return z.boolean({ error: needs("true or false") }).default(otherwise);
}

export function whole(least: number, most: number) {
  const error = needs(`a whole number from ${least} to ${most}`);
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

/** A time of the day; empty: never. */
export function quiet() {
  const error = needs(`a time such as "22:00-07:00"`);
  return z
    .string({ error })
    .refine((text) => text === "" || parseQuiet(text) !== undefined, { error })
    .default("");
}

export function needs(what: string) {
  return ({ input }: { input?: unknown }) => `expected ${what}, not ${shown(input)}`;
}

/** What stood there instead, short. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(safeLine(value, { max: 40 }));
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return { object: "a table", list: "a list" }[kindOf(value)] ?? kindOf(value);
}
