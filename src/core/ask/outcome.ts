import { z } from "zod";
import { Answer } from "./answer/answer.ts";
import { Changed } from "./edit-schema.ts";

export const OutcomeType = z.enum([
  "answered",
  "answered-elsewhere",
  "overtaken",
  "declined",
  "chat",
  "cancelled",
  "expired",
  "withdrawn",
]);
export type OutcomeType = z.infer<typeof OutcomeType>;

export const WithdrawnReason = z.enum(["agent-exited", "session-ended", "moved-on", "taken-back"]);
export type WithdrawnReason = z.infer<typeof WithdrawnReason>;

/** Who settled an Ask, and where. A person in the agent's own dialog is `person` on `terminal`. */
export const Actor = z.looseObject({
  type: z.enum(["person", "agent", "rule", "brain", "system"]),
  surface: z.string(),
  name: z.string().optional(),
  session: z.string().optional(),
  /** Sessions around that one, nearest first: an agent that an agent started. */
  around: z.array(z.string()).optional(),
  /** Of a brain: the conversation in which it decided, where it can be told more. */
  conversation: z.string().optional(),
  /** Of a program that decided: what it calls itself. */
  program: z.string().optional(),
  /** Of a rule that names this kind of Ask: only such a rule, of the person's own, settles approvals and plans. */
  kind: z.string().optional(),
  /** Of people whose passkeys signed it: what those said, as this machine checked it. */
  signed: z
    .array(z.looseObject({ id: z.string(), name: z.string(), passkey: z.string(), response: z.looseObject({}) }))
    .optional()
    .catch(undefined),
  /** Of people who answered together through a hub, in the order in which they chose. */
  members: z
    .array(z.looseObject({ id: z.string(), name: z.string() }))
    .optional()
    .catch(undefined),
});
export type Actor = z.infer<typeof Actor>;

/** How an Ask ended. `lost` is the outcome Parley had sent when the terminal was first. */
export const Outcome = z.looseObject({
  type: OutcomeType,
  actor: Actor,
  at: z.number(),
  answers: z.array(Answer).optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  /** The grant that allowed it, so that nobody was asked. */
  grant: z.string().optional(),
  /** What the person made of the call before they allowed it. */
  changed: Changed.optional(),
  get lost() {
    return Outcome.optional();
  },
});
export type Outcome = z.infer<typeof Outcome>;

/** The outcomes a person, rule or brain may give through Parley; all others are observed. */
export const SETTLING = ["answered", "declined", "chat", "cancelled"] as const;
