import { z } from "zod";

const begun = { id: z.string().optional() };

/**
 * What a run is started with: the prompt, a message into the same session, or nothing, for a call that was put off.
 * `asks`: settled ones that it goes on with; none of them starts another run. `words`: the part of the message that is no
 * answer. `recordSize`: how long the agent's record was; a message that it has written down stands behind that. `id`: the
 * folder of a run belongs to this start, not to one of the same number that a restored backup took back.
 */
export const RunStart = z.discriminatedUnion("how", [
  z.looseObject({ ...begun, how: z.literal("prompt"), words: z.string().optional() }),
  z.looseObject({
    ...begun,
    how: z.literal("message"),
    message: z.string(),
    asks: z.array(z.string()).optional(),
    words: z.string().optional(),
    recordSize: z.number().optional(),
  }),
  z.looseObject({ ...begun, how: z.literal("deferred"), asks: z.array(z.string()).optional() }),
]);
export type RunStart = z.infer<typeof RunStart>;
