import { z } from "zod";
import { isRecommended, type Option, type Question } from "../../core/ask/question.ts";

export const text = z.string().optional().catch(undefined);
/** A name or a path. No file has a NUL in its name, and looking for one throws; what is longer is neither. */
const name = z
  .string()
  .max(4096)
  .regex(/^[^\0]*$/);
const maybe = name.optional().catch(undefined);

/** What its own hooks send in 1.0.102, with the place of its record added; only the session is always there. */
export const HookPayload = z.looseObject({
  sessionId: name,
  cwd: maybe,
  transcriptPath: maybe,
  hookName: maybe,
  notification_type: maybe,
  message: text,
  source: maybe,
  reason: maybe,
  stopReason: maybe,
  toolName: maybe,
  toolArgs: z.unknown().optional(),
  toolInput: z.unknown().optional(),
});
export type HookPayload = z.infer<typeof HookPayload>;

export const QUESTION_TOOL = "ask_user";

const words = z.string().catch("");
const Choice = z.looseObject({ const: z.unknown(), title: words });
const choices = z.array(Choice).optional().catch(undefined);
const values = z.array(z.unknown()).optional().catch(undefined);
const Field = z.looseObject({
  type: text,
  title: words,
  description: words,
  enum: values,
  oneOf: choices,
  items: z.looseObject({ enum: values, anyOf: choices, oneOf: choices }).optional().catch(undefined),
});
type Field = z.infer<typeof Field>;
const ToolInput = z.looseObject({
  message: words,
  requestedSchema: z.looseObject({ properties: z.record(z.string(), Field) }),
});

/**
 * A form of `ask_user`, one question for each field. Undefined when this is none.
 * `id` names the field, `value` is what the model gets for an option, `shown` is all that its dialog says above the rows.
 */
export function questionsOf(input: unknown): Question[] | undefined {
  const form = ToolInput.safeParse(input).data;
  const fields = Object.entries(form?.requestedSchema.properties ?? {});
  if (!form || fields.length === 0) return undefined;
  const names = fields.map(([id, { title }]) => title || id);
  return fields.map(([id, field], at): Question => {
    const options = optionsOf(field);
    const title = names[at] ?? id;
    const tabs = names.map((each, i) => (i === at ? `[${each}]` : each)).join(" ");
    const said = [at === 0 ? form.message : "", field.description || (fields.length > 1 ? title : "")];
    const head = options.length > 0 ? `${title}:` : title;
    return {
      text: [...new Set(said.filter((part) => part.trim() !== ""))].join("\n\n") || form.message || title,
      header: title,
      multiSelect: field.type === "array",
      options,
      id,
      shown: [form.message, fields.length > 1 ? tabs : "", head, field.description].join("\n"),
    };
  });
}

/** Something that is no plain value has no label but what it is written like. */
const labelOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

function optionsOf(field: Field): Option[] {
  const from = field.type === "array" ? (field.items ?? {}) : field;
  const named = choicesIn(from);
  if (named) return named.map(({ const: value, title }) => option(title || labelOf(value), value));
  if (from.enum) return from.enum.map((value) => option(labelOf(value), value));
  return field.type === "boolean" ? [option("Yes", true), option("No", false)] : [];
}

const choicesIn = (from: { oneOf?: Choices; anyOf?: unknown }): Choices => from.oneOf ?? (from.anyOf as Choices);
type Choices = z.infer<typeof choices>;

const option = (label: string, value: unknown): Option => ({
  label,
  description: "",
  recommended: isRecommended(label),
  value: labelOf(value),
});
