import { z } from "zod";
import type { Policy } from "../../core/hub-policy.ts";

// What a team has agreed on: whom questions go to, and what answers need.

const Name = z.string().max(500);
const Names = z.array(Name).max(1000);
const About = { project: Name.optional(), kind: Name.optional() };
const OfRoute = { ...About, stakes: z.boolean() };
const OfPolicy = { ...About, two: z.boolean(), signed: z.boolean(), stake: Name.optional() };

/** What an admin does to it, each by the same words as the command. */
export const RuleChange = z.discriminatedUnion("change", [
  z.strictObject({ change: z.literal("set-route"), ...OfRoute, to: Names, ms: z.number().int().positive() }),
  z.strictObject({ change: z.literal("remove-route"), ...OfRoute }),
  z.strictObject({ change: z.literal("set-group"), name: Name, members: Names }),
  z.strictObject({ change: z.literal("remove-group"), name: Name }),
  /** `instead`: of which one, by its id. */
  z.strictObject({ change: z.literal("set-policy"), ...OfPolicy, instead: Name.optional() }),
  z.strictObject({ change: z.literal("remove-policy"), id: Name }),
]);
export type RuleChange = z.infer<typeof RuleChange>;

export type SetRoute = {
  project: string | null;
  kind: string | null;
  stakes: boolean;
  to: { type: "member" | "group"; name: string }[];
  afterMs: number;
};
/** As far as whoever asks sees projects. `routes`: in the order in which they are tried. `kinds`, `stakes`: what there is to choose from. */
export type HubRules = {
  routes: SetRoute[];
  groups: { name: string; members: string[] }[];
  policies: Policy[];
  kinds: readonly string[];
  /** What a policy may be about: those, and work that is given from the hub. */
  policyKinds: readonly string[];
  stakes: readonly string[];
};
