import { duration } from "../../../core/words/time.ts";
import type { Paths } from "../../../machine/home.ts";
import { counted } from "../../../core/words/number.ts";
import { type Finding, ok, problem } from "../../../core/finding.ts";
import type { Health } from "../context.ts";

/** A clock that is a little off does no harm. */
const SLACK_MS = 60_000;

/** What was found in the database, and the clock held against it. */
export function storeFindings({ database }: Paths, health: Health, now: number): Finding[] {
  if (health.type === "empty") return [ok("store", "nothing is saved yet")];
  if (health.type === "damaged") return [damaged(database, health.detail)];
  const { asks, events, newestAt } = health;
  return [
    ok("store", `${database} is sound: ${counted(asks, "question")}, ${counted(events, "event")}`),
    clock(now, newestAt),
  ];
}

function damaged(path: string, what: string): Finding {
  const fix = `parley down, move ${path} and its -wal aside (keep both), parley up: it begins with an empty inbox`;
  return problem("store", `${path} is damaged: ${what}`, fix);
}

function clock(now: number, last: number): Finding {
  const time = new Date(now).toISOString().replace("T", " ").slice(0, 16);
  if (last <= now + SLACK_MS) return ok("clock", `is right: ${time} UTC`);
  const ahead = duration(last - now);
  return problem("clock", `${time} UTC is ${ahead} before the newest saved event`, "set this machine's clock");
}
