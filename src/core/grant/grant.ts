import { z } from "zod";
import { Actor } from "../ask/outcome.ts";
import type { Stamp } from "../ask/lifecycle.ts";

export const PATTERN_TYPES = ["command", "write", "read", "fetch"] as const;
/** What a grant matches: the kind of call, and a pattern as a person reads and edits it. */
export const GrantPattern = z.strictObject({ type: z.enum(PATTERN_TYPES), text: z.string().min(1).max(2000) });
export type GrantPattern = z.infer<typeof GrantPattern>;

/** When it ends by itself; one of them at least. `plan`: the session whose accepted plan it is for. */
export const GrantEnd = z.looseObject({
  until: z.number().optional(),
  calls: z.number().int().min(1).optional(),
  task: z.string().optional(),
  plan: z.string().optional(),
  /** With `plan`, where the agent says it: the turn it was accepted in. */
  turn: z.string().optional(),
});
export type GrantEnd = z.infer<typeof GrantEnd>;

/** declined: it was proposed, and nobody wants to hear of it again. */
export const GRANT_STATES = ["live", "revoked", "ended", "declined"] as const;
export const END_REASONS = ["time", "calls", "task", "plan"] as const;
export type EndReason = (typeof END_REASONS)[number];

/** A person's leave, given in advance, for calls that are not asked about then. */
export const Grant = z.looseObject({
  id: z.string(),
  version: z.number().int(),
  state: z.enum(GRANT_STATES),
  pattern: GrantPattern,
  /** Without links. Commands run in it; files lie below it. */
  folder: z.string(),
  project: z.string().optional(),
  end: GrantEnd,
  by: Actor,
  /** The Ask it was given with. */
  from: z.string().optional(),
  used: z.number().int(),
  lastUsedAt: z.number().optional(),
  lastAsk: z.string().optional(),
  givenAt: z.number(),
  endedAt: z.number().optional(),
  endReason: z.string().optional(),
});
export type Grant = z.infer<typeof Grant>;

const given = {
  pattern: GrantPattern,
  folder: z.string(),
  project: z.string().optional(),
  end: GrantEnd,
  by: Actor,
  from: z.string().optional(),
};
export const GrantEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("grant.given"), grant: z.string(), ...given }),
  z.looseObject({
    type: z.literal("grant.edited"),
    grant: z.string(),
    pattern: GrantPattern.optional(),
    folder: z.string().optional(),
    end: GrantEnd.optional(),
    by: Actor,
  }),
  /** A call was made without being asked about; `ask` is where it is recorded. */
  z.looseObject({ type: z.literal("grant.used"), grant: z.string(), ask: z.string(), title: z.string() }),
  z.looseObject({ type: z.literal("grant.revoked"), grant: z.string(), by: Actor }),
  z.looseObject({ type: z.literal("grant.ended"), grant: z.string(), reason: z.enum(END_REASONS) }),
  /** A person did not want what was proposed. */
  z.looseObject({
    type: z.literal("grant.declined"),
    grant: z.string(),
    pattern: GrantPattern,
    folder: z.string(),
    project: z.string().optional(),
    by: Actor,
    from: z.string().optional(),
  }),
]);
export type GrantEvent = z.infer<typeof GrantEvent>;

/** Contract: total; what has ended stays ended, and is used no more. */
export function applyGrantEvent(grant: Grant | undefined, event: GrantEvent, { id, at }: Stamp): Grant {
  if (event.type === "grant.given") return grant ?? begin(event, { id, at });
  if (event.type === "grant.declined")
    return grant ?? { ...begin({ ...event, end: {} }, { id, at }), state: "declined" };
  if (!grant) throw new Error(`event ${event.type} for unknown grant ${id}`);
  return { ...grant, ...(grant.state === "live" && change(grant, event, at)), version: grant.version + 1 };
}

type Beginning = Pick<Grant, "pattern" | "folder" | "project" | "end" | "by" | "from">;
function begin(event: Beginning, { id, at }: Stamp): Grant {
  const { pattern, folder, project, end, by, from } = event;
  const places = { ...(project !== undefined && { project }), ...(from !== undefined && { from }) };
  return { id, version: 1, state: "live", pattern, folder, ...places, end, by, used: 0, givenAt: at };
}

type Later = Exclude<GrantEvent, { type: "grant.given" | "grant.declined" }>;
function change(grant: Grant, event: Later, at: number): Partial<Grant> {
  switch (event.type) {
    case "grant.edited": {
      const { pattern = grant.pattern, folder = grant.folder, end = grant.end } = event;
      return { pattern, folder, end };
    }
    case "grant.used":
      return { used: grant.used + 1, lastUsedAt: at, lastAsk: event.ask };
    case "grant.revoked":
      return { state: "revoked", endedAt: at };
    case "grant.ended":
      return { state: "ended", endedAt: at, endReason: event.reason };
  }
}

/** Why it may not be used now, whatever it matches. Undefined: it may. */
export function endOf({ state, end, used, endReason }: Grant, now: number): EndReason | "revoked" | undefined {
  if (state === "revoked" || state === "declined") return "revoked";
  if (state === "ended") return (endReason as EndReason | undefined) ?? "time";
  if (end.until !== undefined && now >= end.until) return "time";
  return end.calls !== undefined && used >= end.calls ? "calls" : undefined;
}
