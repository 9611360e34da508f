import { z } from "zod";
import { Kind } from "../ask/ask.ts";
import { STAKES } from "../autopilot/stake/stake.ts";
import { KEYS, needs, quiet, section, whole } from "./field.ts";

export const MESSENGERS = ["desktop", "ntfy", "webhook", "telegram", "slack", "push"] as const;
export type MessengerName = (typeof MESSENGERS)[number];

const time = needs(`a time such as "08:00"`);
const WHEN = ["always", "away", "never"] as const;
const words = (what: string) => `expected ${what}, or a list of such`;
const messenger = z.enum(MESSENGERS, { error: needs(`one of ${MESSENGERS.join(", ")}`) });

/** One value or several; none: any. */
const some = <T extends z.ZodType>(each: T, what: string) =>
  z.union([each.transform((one) => [one]), z.array(each).min(1)], { error: words(what) }).optional();

/** What goes to a messenger, and when. Every condition that is there must hold; of a list of values, one. */
export const Route = z.strictObject(
  {
    messenger,
    kind: some(Kind, `a kind such as "approval"`),
    project: some(z.string().trim().min(1).max(200), "the name of a project"),
    stakes: some(z.enum(STAKES), `a stake such as "${STAKES[0]}"`),
    quiet: quiet(),
    when: z.enum(WHEN, { error: needs(WHEN.join(", ")) }).default("always"),
  },
  section,
);
export type Route = z.infer<typeof Route>;

/** Keys of `notify` that say who is told when. Only a person's own file sets them. */
export const ROUTING = {
  routes: z
    .array(Route, { error: needs("a list of [[notify.routes]]") })
    .max(100)
    .default([])
    .register(KEYS, {
      about: "What goes to which messenger and when; one without a route is told everything",
      // What was meant for nobody else stays on this machine.
      strict: MESSENGERS.filter((name) => name !== "desktop").map((name) => ({
        messenger: name,
        quiet: "",
        when: "never",
      })),
    }),
  away_minutes: whole(1, 1440)
    .default(5)
    .register(KEYS, { about: `Nobody is at the desk when no key was pressed for so long (when = "away")` }),
  ladder: z
    .array(messenger, { error: needs("a list of messengers") })
    .refine((names) => new Set(names).size === names.length, { error: "expected each messenger once" })
    .default([])
    .register(KEYS, { about: "Messengers that are told one after the other, as long as nobody answers" }),
  next_minutes: whole(1, 1440)
    .default(10)
    .register(KEYS, { about: "How long a messenger of the ladder has before the next is told" }),
  remind_minutes: whole(0, 1440)
    .default(0)
    .register(KEYS, { about: "Remind once of a question that has waited so long since it was told; 0: never" }),
  digest: z
    .string({ error: time })
    .refine((text) => /^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/.test(text), { error: time })
    .default("")
    .register(KEYS, { about: "Local time at which a day's digest is told: what was answered for you, what waits" }),
  digest_to: z
    .array(messenger, { error: needs("a list of messengers") })
    .default([])
    .register(KEYS, { about: "Messengers that get the digest; none named: all that are on" }),
  burst: whole(0, 100)
    .default(5)
    .register(KEYS, { about: "More than so many in a minute become one message with a count; 0: each is sent" }),
};
