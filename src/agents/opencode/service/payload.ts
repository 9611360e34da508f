import { z } from "zod";
import { name, text } from "../payload.ts";

/** What is of another kind than expected counts as missing: it must not hide the rest. */
const words = z.string().catch("");
const names = z.array(words).catch([]);
const fields = z.record(z.string(), z.unknown()).catch({});
const maybe = name.optional().catch(undefined);

export const Event = z.looseObject({
  type: z.string(),
  location: z.looseObject({ directory: maybe }).optional().catch(undefined),
  data: z.looseObject({}),
});
export type Event = z.infer<typeof Event>;

export const FormField = z.looseObject({
  key: name,
  type: z.string(),
  title: text,
  description: text,
  required: z.boolean().optional().catch(undefined),
  when: z.unknown().optional(),
  custom: z.boolean().optional().catch(undefined),
  url: text,
  options: z
    .array(z.looseObject({ value: z.string(), label: z.string(), description: text }))
    .optional()
    .catch(undefined),
});
export type FormField = z.infer<typeof FormField>;
const Call = z.looseObject({ messageID: maybe, callID: maybe }).optional().catch(undefined);
export const Form = z.looseObject({
  id: name,
  sessionID: name,
  title: words,
  fields: z.array(FormField).min(1).max(50),
  metadata: z.looseObject({ kind: text, server: text, message: text, tool: Call }).optional().catch(undefined),
});
export type Form = z.infer<typeof Form>;
/** What `form.replied` and `form.cancelled` carry. */
export const FormEnd = z.looseObject({ id: name, sessionID: name, answer: fields.optional() });

export const Permission = z.looseObject({
  id: name,
  sessionID: name,
  action: words,
  resources: names,
  save: names,
  metadata: fields,
  source: Call,
});
export type Permission = z.infer<typeof Permission>;

/** What `question.replied`, `question.rejected` and `permission.replied` carry. */
export const RequestEnd = z.looseObject({ sessionID: name, requestID: name });
export const OfSession = z.looseObject({ sessionID: name, title: text });
export const Session = z.looseObject({
  id: name,
  parentID: maybe,
  title: text,
  directory: maybe,
  location: z.looseObject({ directory: maybe }).optional().catch(undefined),
});

/** A call in an event: the first says its name, the second what it was given, the others what came of it. */
export const CallEvent = z.looseObject({
  sessionID: name,
  assistantMessageID: name,
  callID: name,
  /** `tool` in the first preview. */
  name: text,
  tool: text,
  input: z.unknown().optional(),
  content: z.unknown().optional(),
  metadata: fields.optional(),
  /** The first preview's name for `metadata`. */
  structured: fields.optional(),
  error: z.looseObject({ type: words, message: words }).optional().catch(undefined),
});
export type CallEvent = z.infer<typeof CallEvent>;

/** A call in `GET /api/session/{id}/message/{id}`, and in the column `data` of the record. */
export const CallPart = z.looseObject({
  type: z.literal("tool"),
  id: name,
  name: words,
  state: z.looseObject({
    status: words,
    input: z.unknown().optional(),
    content: z.unknown().optional(),
    metadata: fields.optional(),
    structured: fields.optional(),
    error: z.looseObject({ type: words, message: words }).optional().catch(undefined),
  }),
});
export type CallPart = z.infer<typeof CallPart>;
export const Message = z.looseObject({ content: z.array(z.unknown()).catch([]) });
