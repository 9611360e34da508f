import { z } from "zod";

/** What is of another kind than expected counts as missing: it must not hide the rest. */
const text = z.string().optional().catch(undefined);
const words = z.string().catch("");
export const fields = z.record(z.string(), z.unknown()).catch({});
/** An id or a path: none holds a NUL, and what is longer is neither. */
export const name = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/);
const maybe = name.optional().catch(undefined);

/** A call as far as the agent has told of it. */
export const Call = z.looseObject({
  toolCallId: maybe,
  title: words,
  kind: words,
  status: words,
  rawInput: fields,
  rawOutput: z.unknown().optional(),
  content: z.array(z.unknown()).catch([]),
  locations: z.array(z.looseObject({ path: words })).catch([]),
  _meta: fields,
});
export type Call = z.infer<typeof Call>;

const Session = z.looseObject({ id: name, cwd: maybe, title: text, prompt: text });
const Implementation = z.looseObject({ name: words, title: text, version: text });

/** What the proxy says. `params`: of the agent's request; `result`: what it was answered with, `by` whom. */
export const Event = z.looseObject({
  type: z.string(),
  name: maybe,
  method: words,
  params: fields,
  call: Call.optional().catch(undefined),
  session: Session,
  agent: Implementation.optional().catch(undefined),
  result: z.unknown().optional(),
  isNew: z.boolean().catch(false),
  said: words,
});
export type Event = z.infer<typeof Event>;

export const PermissionOption = z.looseObject({ optionId: name, name: words, kind: words });
export type PermissionOption = z.infer<typeof PermissionOption>;
const KINDS = ["allow_once", "allow_always", "reject_once", "reject_always"];
const rank = ({ kind }: PermissionOption) => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length);
/**
 * In the order that people know: once, always, no; what is of no known kind last. Agents have their own, and some begin with
 * always. One option that cannot be read would leave a person without it: then none is asked about.
 */
export const Permission = z.looseObject({
  options: z
    .array(PermissionOption)
    .min(1)
    .max(50)
    .transform((options) => options.toSorted((a, b) => rank(a) - rank(b))),
});
export const PermissionResult = z.looseObject({
  outcome: z.looseObject({ outcome: words, optionId: maybe }),
});

const Choice = z.looseObject({ const: z.string(), title: text, description: text });
const Choices = z.looseObject({
  enum: z.array(z.string()).optional().catch(undefined),
  oneOf: z.array(Choice).optional().catch(undefined),
  anyOf: z.array(Choice).optional().catch(undefined),
});
export const Field = Choices.extend({
  type: z.enum(["string", "number", "integer", "boolean", "array"]),
  title: text,
  description: text,
  format: text,
  enumNames: z.array(words).optional().catch(undefined),
  items: Choices.optional().catch(undefined),
  minLength: z.number().optional().catch(undefined),
  maxLength: z.number().optional().catch(undefined),
  minItems: z.number().optional().catch(undefined),
  maxItems: z.number().optional().catch(undefined),
  minimum: z.number().optional().catch(undefined),
  maximum: z.number().optional().catch(undefined),
  pattern: text,
});
export type Field = z.infer<typeof Field>;
/** `mode`: a page to open is the editor's to show. A field that cannot be read could not be filled in: none is asked about. */
export const Elicitation = z.looseObject({
  mode: z.literal("form"),
  message: words,
  requestedSchema: z.looseObject({
    properties: z.record(z.string(), Field),
    required: z.array(z.string()).nullish().catch(undefined),
  }),
});
export type Elicitation = z.infer<typeof Elicitation>;
export const ElicitationResult = z.looseObject({ action: words, content: fields });
