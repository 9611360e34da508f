import { z } from "zod";
import { isRecommended, type Option, type Question } from "../../core/ask/question.ts";

/** What is of another kind than expected counts as missing: it must not hide the rest. */
const text = z.string().optional().catch(undefined);
const words = z.string().catch("");
/** An id or a path: none holds a NUL, and what is longer is neither. */
const name = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/);
const maybe = name.optional().catch(undefined);

const Session = z.looseObject({ id: name, cwd: maybe, file: maybe, title: text });
const Call = z.looseObject({ id: name, name: words, input: z.unknown().optional() });

/** A dialog of one of pi's extensions, as the end inside pi saw it opened. */
const Shown = z.looseObject({
  name,
  method: z.enum(["select", "confirm", "input"]),
  title: words,
  message: words,
  placeholder: words,
  options: z.array(words).catch([]),
});
export type Shown = z.infer<typeof Shown>;
/** What it gave back; no `value`: it was closed without one. `said`: what the agent is told besides. */
const Ended = z.looseObject({
  name,
  by: z.enum(["parley", "dialog", "timeout", "aborted"]).catch("dialog"),
  value: z.union([z.string(), z.boolean()]).optional().catch(undefined),
  said: text,
  stop: z.boolean().catch(false),
});
export type Ended = z.infer<typeof Ended>;

/** What the end inside pi says over its connection. */
export const Event = z.discriminatedUnion("type", [
  Shown.extend({ type: z.literal("asked"), session: Session, call: Call.optional().catch(undefined) }),
  Ended.extend({ type: z.literal("ended"), session: Session, ...Shown.omit({ name: true }).shape }),
  z.looseObject({ type: z.literal("began"), session: Session, isNew: z.boolean().catch(false) }),
  z.looseObject({ type: z.literal("turn-ended"), session: Session, said: text }),
  z.looseObject({ type: z.literal("over"), session: Session, reason: words }),
]);
export type Event = z.infer<typeof Event>;

/** What it writes into pi's session file. `call`: the one that asks, by its id. */
export const Entry = z.discriminatedUnion("state", [
  Shown.extend({ state: z.literal("asked"), call: maybe, at: z.number().catch(0) }),
  Ended.extend({ state: z.literal("ended"), call: maybe }),
]);

export const YES_NO = ["Yes", "No"] as const;

/** Own words only where the dialog itself takes a text: what an extension does with any other is its secret. */
export function questionOf({
  method,
  title,
  message,
  placeholder,
  options,
}: Pick<Shown, "method" | "title" | "message" | "placeholder" | "options">): Question {
  const labels = method === "confirm" ? YES_NO : options;
  const body = method === "confirm" ? message : method === "input" && placeholder ? `For example: ${placeholder}` : "";
  return {
    text: title.trim() === "" ? (message.trim() === "" ? "pi asks" : message) : title,
    header: "",
    multiSelect: false,
    ...(body !== "" && { body }),
    ...(method !== "input" && { ownWords: false }),
    options: method === "input" ? [] : labels.map(optionOf),
  };
}

const optionOf = (label: string): Option => ({ label, description: "", recommended: isRecommended(label) });
