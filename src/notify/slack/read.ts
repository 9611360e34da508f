import { z } from "zod";
import type { Answer } from "../../core/ask/answer/answer.ts";
import { safeLine } from "../../core/text/text.ts";

// What Slack sends over the socket. Tolerant: of what is not known nothing is used.

const User = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  username: z.string().optional(),
  team_id: z.string().optional(),
});
export type User = z.infer<typeof User>;
const Chosen = z.looseObject({ value: z.string() });
const Element = z.looseObject({
  value: z.string().nullish(),
  selected_option: Chosen.nullish(),
  selected_options: z.array(Chosen).nullish(),
});
const State = z.looseObject({ values: z.record(z.string(), z.record(z.string(), Element)).catch({}) });
type State = z.infer<typeof State>;

export const Actions = z.looseObject({
  type: z.literal("block_actions"),
  trigger_id: z.string().optional(),
  user: User,
  team: z.looseObject({ id: z.string() }).nullish(),
  channel: z.looseObject({ id: z.string() }).optional(),
  container: z.looseObject({ is_ephemeral: z.boolean().optional(), message_ts: z.string().optional() }).optional(),
  message: z
    .looseObject({
      ts: z.string(),
      thread_ts: z.string().optional(),
      text: z.string().optional(),
      blocks: z.array(z.looseObject({ type: z.string() })).optional(),
    })
    .optional(),
  state: State.nullish(),
  actions: z
    .array(
      z.looseObject({
        action_id: z.string(),
        action_ts: z.string().optional(),
        value: z.string().optional(),
        selected_option: Chosen.nullish(),
      }),
    )
    .min(1),
});
export type Actions = z.infer<typeof Actions>;

export const Submission = z.looseObject({
  type: z.literal("view_submission"),
  user: User,
  team: z.looseObject({ id: z.string() }).nullish(),
  view: z.looseObject({
    id: z.string(),
    hash: z.string().optional(),
    callback_id: z.string(),
    private_metadata: z.string().default(""),
    state: State,
  }),
});
export type Submission = z.infer<typeof Submission>;

export const Envelope = z.looseObject({
  type: z.string(),
  envelope_id: z.string().optional(),
  reason: z.string().optional(),
  payload: z.unknown().optional(),
});
export type Envelope = z.infer<typeof Envelope>;

/** As Slack itself says it is unique: with the workspace. */
export const personOf = ({ user, team }: Pick<Actions, "user" | "team">) => ({
  id: `${user.team_id ?? team?.id ?? "T"}:${user.id}`,
  name: safeLine(user.name ?? user.username ?? "", { max: 40 }) || user.id,
});
/** For a mention. */
export const userIn = (id: string): string => id.split(":").at(-1) ?? id;

/** What was chosen in the list beside *Done*. */
export function ticksIn({ state }: Actions): number[] {
  return picksIn(state?.values["ticks"]?.["v"]);
}

/** The answers of a form, and for each question its fields: where something is said that is missing. */
export function answersIn({ values }: State, count: number): { answers: Answer[]; fields: string[] } {
  const answers: Answer[] = [];
  const fields: string[] = [];
  for (let at = 0; at < count; at++) {
    const [pick, text, note] = ["pick", "text", "note"].map((name) => values[`${at}.${name}`]?.["v"]);
    const words = text?.value?.trim();
    const aside = note?.value?.trim();
    answers.push({ picks: picksIn(pick), ...(words && { text: words }), ...(aside && { note: aside }) });
    fields.push(`${at}.${pick ? "pick" : "text"}`);
  }
  return { answers, fields };
}

/** How many questions a form had. */
export function countIn({ values }: State): number {
  const places = Object.keys(values).map((name) => Number(/^(\d{1,3})\./.exec(name)?.[1] ?? -1));
  return Math.max(-1, ...places) + 1;
}

function picksIn(element: z.infer<typeof Element> | undefined): number[] {
  const chosen = element?.selected_options ?? (element?.selected_option ? [element.selected_option] : []);
  const picks = chosen.map(({ value }) => Number(value)).filter((pick) => Number.isInteger(pick) && pick >= 0);
  return [...new Set(picks)].toSorted((a, b) => a - b);
}
