import { z } from "zod";
import { Grant } from "../core/grant/grant.ts";
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
    body: z.strictObject(wish),
    result: z.looseObject({ grant: GrantView, ask: AskView }),
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
