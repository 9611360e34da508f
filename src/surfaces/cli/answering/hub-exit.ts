import type { WithdrawnReason } from "../../../protocol/hub/hub.ts";

type Sent = {
  intent?: { state: string; reason?: string | undefined } | undefined;
  halves?: readonly unknown[] | undefined;
};

/** As of every command: 2 what was said, 3 not there, 4 too late, 77 not allowed. */
const EXITS: Readonly<Record<WithdrawnReason, number>> = {
  demand: 77,
  refused: 77,
  revoked: 77,
  "not-shared": 3,
  invalid: 2,
  over: 4,
  "taken-back": 4,
};
const CAME_TO_NOTHING = 4;

/** How a program ends that has given an answer in a hub, by what became of it until then. */
export function exitOfAnswer({ intent, halves }: Sent): number {
  if (intent?.state === "overtaken") return CAME_TO_NOTHING;
  // Where another one has to choose the same, an earlier answer is not this one.
  if (intent?.state !== "withdrawn" || halves) return 0;
  return new Map<string, number>(Object.entries(EXITS)).get(intent.reason ?? "") ?? CAME_TO_NOTHING;
}
