import { findAsk } from "../../find-ask.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import { snoozedWords } from "../../../../core/words/time.ts";
import { timeSpan } from "../../../terminal/time-span.ts";

const MINUTE_MS = 60_000;

export const command = defineCommand({
  about:
    "Puts a question aside. It stays open, at the end of every list; notifications wait until then. It can be answered all the while.",
  positionals: { id: { of: "ask" }, time: { of: ["30m", "2h", "1d", "off"] } },
  needs: "Give an id and a time: parley snooze <id> 30m",
  examples: [
    ["parley snooze k3x 30m", "put it aside for 30 minutes; also 2h, 1d"],
    ["parley snooze k3x off", "bring it back now"],
  ],
  async run({ id, time, json }, { terminal, client }) {
    const minutes = snoozeMinutes(time);
    const { id: whole } = await findAsk(client, id);
    const ask = await client.call("snoozeAsk", { id: whole, body: { minutes, surface: "cli" } });
    const words = minutes === 0 ? "back in the list" : snoozedWords(ask.snoozedUntil ?? 0, Date.now());
    terminal.out(json ? jsonLine(ask) : `✓ ${words}\n`);
    return 0;
  },
});

/** `30m`, `2h`, `1d`; a bare number is minutes; `off` is 0. */
export function snoozeMinutes(time: string): number {
  const text = time.trim();
  if (text === "off" || /^0+[smhd]?$/.test(text)) return 0;
  return timeSpan(/^\d+$/.test(text) ? `${text}m` : text, "time") / MINUTE_MS;
}
