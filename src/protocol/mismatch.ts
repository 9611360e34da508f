import { z } from "zod";
import { ADDRESSES } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { MismatchView } from "./view.ts";

export const MISMATCH_ENDPOINTS = {
  tellMismatches: {
    ...ADDRESSES.tellMismatches,
    needs: "human",
    about: "Answers of this person or program that the agent received otherwise; each is told once",
    body: z.strictObject({
      surface: z.string().max(40).default("api"),
      /** The agent session the caller runs inside, if any. */
      session: z.string().max(200).optional(),
      /** The caller is a program that decides; its name, or "" where it gave none. */
      program: z.string().max(80).optional(),
    }),
    result: z.looseObject({ mismatches: z.array(MismatchView) }),
  },
} as const satisfies Record<string, Endpoint>;
