import { z } from "zod";
import { Grant, GrantPattern } from "../core/grant/grant.ts";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { AskView } from "./view.ts";

/** A grant as surfaces get it: what it matches in words, and where it stands. */
export const GrantView = Grant.extend({
  /** `$ npm run *`. */
  title: z.string(),
  /** All that a person has to know before they give it. */
  lines: z.array(z.tuple([z.string(), z.string()])),
  /** `live`, `revoked`, `ended: its time is over`. */
  sentence: z.string(),
});
export type GrantView = z.infer<typeof GrantView>;

/** What may be granted with an Ask. */
export const GrantOffer = z.looseObject({
  /** `30m`, `2h`, `10x`, and `task` or `plan` where one asks. */
  ends: z.array(z.string()),
  /** The call itself; of a plan each that it names. `held`: why it is not granted along with the others. */
  calls: z.array(
    z.looseObject({ pattern: GrantPattern, title: z.string(), folder: z.string(), held: z.string().optional() }),
  ),
  /** Why nothing can be. */
  refused: z.string().optional(),
  /** A grant that would have saved so many questions; `words`: "asked 3 times in 12 min". */
  proposal: z
    .looseObject({
      for: z.string(),
      pattern: z.string(),
      folder: z.string(),
      title: z.string(),
      times: z.number(),
      ms: z.number(),
      words: z.string(),
    })
    .optional(),
});
export type GrantOffer = z.infer<typeof GrantOffer>;

/** An approval that waits, as a row of a table. */
export const ApprovalRow = z.looseObject({
  ask: AskView,
  /** The options that allow it once, and deny it. */
  approve: z.number().int(),
  deny: z.number().int(),
  /** Why it is not decided along with others unless a person names it. */
  held: z.string().optional(),
});
export type ApprovalRow = z.infer<typeof ApprovalRow>;

const wish = {
  /** `30m`, `2h`, `10x`, `task`, `plan`. */
  for: z.string().max(20).optional(),
  pattern: z.string().max(2000).optional(),
  folder: z.string().max(4096).optional(),
  /** Only say what it would be. */
  dry: z.boolean().default(false),
  surface: z.string().max(40).default("api"),
};

export const GRANT_ENDPOINTS = {
  giveGrant: {
    ...ADDRESSES.giveGrant,
    needs: "human",
    about: "Approve a call and calls like it for a while; dry says what would be granted and does nothing",
    body: z.strictObject({
      ...wish,
      /** Of a plan: which of the calls it names; else all that are not held. */
      patterns: z.array(z.string().max(2000)).max(100).optional(),
      /** Of a plan that waits: the option that accepts it. */
      pick: z.number().int().min(0).max(50).optional(),
    }),
    /** `grants`: all of them; `grant`: the first. */
    result: z.looseObject({ grant: GrantView, grants: z.array(GrantView), ask: AskView }),
  },
  grantOffer: {
    ...ADDRESSES.grantOffer,
    needs: "human",
    about: "What may be granted with this approval or plan, and what is proposed after equal approvals",
    result: GrantOffer,
  },
  declineGrant: {
    ...ADDRESSES.declineGrant,
    needs: "human",
    about: "Do not propose this grant again",
    body: z.strictObject({ surface: z.string().max(40).default("api") }),
    result: GrantView,
  },
  listApprovals: {
    ...ADDRESSES.listApprovals,
    needs: "human",
    about: "The approvals that wait, longest first, and which of them want to be looked at one by one",
    result: z.looseObject({ approvals: z.array(ApprovalRow) }),
  },
  listGrants: {
    ...ADDRESSES.listGrants,
    needs: "human",
    about: "Grants that count now, newest first; all: also those that ended",
    query: z.object({ all: z.stringbool().default(false) }),
    result: z.looseObject({ grants: z.array(GrantView) }),
  },
  getGrant: {
    ...ADDRESSES.getGrant,
    needs: "human",
    about: "One grant; a unique prefix of its id is enough",
    result: GrantView,
  },
  editGrant: {
    ...ADDRESSES.editGrant,
    needs: "human",
    about: "Change the pattern, the folder or the end of a grant that counts; dry says what it would be",
    body: z.strictObject(wish),
    result: GrantView,
  },
  revokeGrant: {
    ...ADDRESSES.revokeGrant,
    needs: "human",
    about: "End a grant at once",
    body: z.strictObject({ surface: z.string().max(40).default("api") }),
    result: GrantView,
  },
} as const satisfies Record<string, Endpoint>;
