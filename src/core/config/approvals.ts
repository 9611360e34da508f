import { z } from "zod";
import { KEYS, needs, seconds, section } from "./field.ts";

const error = needs(`a pattern such as "git push ..." or "write .github/**"`);

export const Approvals = z.strictObject(
  {
    must_ask: z
      .array(z.string({ error }).trim().min(1, { error }).max(2000, { error }), { error: needs("a list of patterns") })
      .max(200)
      .default([])
      .register(KEYS, {
        about: "Calls to ask about in every mode, whatever was granted; needs parley setup --must-ask",
        project: "apart",
        // No pattern can be read so: it asks about everything.
        strict: ["(approvals.must_ask cannot be read)"],
      }),
    deny_after_seconds: seconds(604_800)
      .default(0)
      .register(KEYS, { about: "A permission that nobody decides for so long is denied; 0: it waits" }),
    deny_plan_after_seconds: seconds(604_800)
      .default(0)
      .register(KEYS, { about: "A plan that nobody decides for so long is denied; 0: it waits" }),
  },
  section,
);
