import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import { findAsk } from "../find-ask.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";
import { snoozedWords } from "../../../core/words/time.ts";
import { timeSpan } from "../../terminal/time-span.ts";

const HELP = `Usage: parley snooze <id> <time> [--json]

  parley snooze k3x 30m     put it aside for 30 minutes; also 2h, 1d
  parley snooze k3x off     bring it back now

It stays open, at the end of every list; notifications wait until then. It can
be answered all the while.
`;
const MINUTE_MS = 60_000;

export const snooze: Command = async (args, { terminal, client }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const [id, time, ...rest] = positionals;
  if (id === undefined || time === undefined || rest.length > 0)
    throw new ParleyError("usage", "An id and a time are needed: parley snooze <id> 30m");
  const minutes = snoozeMinutes(time);
  const { id: whole } = await findAsk(client, id);
  const ask = await client.call("snoozeAsk", { id: whole, body: { minutes, surface: "cli" } });
  const words = minutes === 0 ? "back in the list" : snoozedWords(ask.snoozedUntil ?? 0, Date.now());
  terminal.out(values.json ? jsonLine(ask) : `✓ ${words}\n`);
  return 0;
};

/** `30m`, `2h`, `1d`; a bare number is minutes; `off` is 0. */
export function snoozeMinutes(time: string): number {
  const text = time.trim();
  if (text === "off" || /^0+[smhd]?$/.test(text)) return 0;
  return timeSpan(/^\d+$/.test(text) ? `${text}m` : text, "time") / MINUTE_MS;
}
