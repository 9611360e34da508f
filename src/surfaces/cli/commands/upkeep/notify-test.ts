import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { BodyOf, ResultOf } from "../../../../protocol/contract.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Terminal } from "../../../terminal/terminal.ts";

const CHANNELS: readonly string[] = ["desktop", "ntfy", "webhook", "telegram", "slack", "push"];
/** Time to take the phone out of the pocket. */
const WAIT_SECONDS = "60";

export const test = defineCommand({
  about:
    "Sends a test notification through every messenger that is on, or through one, and says what happened. One that takes answers, tested by its name, is proved in both directions: its message has a button, and the command waits until it is pressed. Quiet hours are ignored. Settings: parley config",
  options: {
    channel: { value: "MESSENGER", of: CHANNELS, description: "only this one" },
    wait: { value: "SECONDS", description: "how long to wait for a press" },
  },
  positionals: { messenger: { optional: true, of: CHANNELS } },
  notes: "Exit codes: 0 sent · 1 something failed, or nothing could be sent",
  async run({ messenger, channel = messenger, wait = WAIT_SECONDS, json }, { terminal, client }) {
    if (channel !== undefined && !CHANNELS.includes(channel))
      throw new ParleyError("usage", `Expected one of ${CHANNELS.join(", ")}, not "${safeLine(channel)}"`);
    const seconds = Number(wait);
    if (!Number.isInteger(seconds) || seconds < 0 || seconds > 300)
      throw new ParleyError("usage", `--wait: expected seconds from 0 to 300, not "${safeLine(wait)}"`);
    const body = { ...(channel !== undefined && { channel }) } as BodyOf<"notifyTest">;
    const where = { telegram: "in the chat", slack: "in the chat", push: "of the notification" }[channel ?? ""];
    if (where !== undefined && seconds > 0 && !json) terminal.err(`Press the button ${where}.\n`);
    const query = { wait: channel === undefined ? 0 : seconds * 1000 };
    const result = await client.call("notifyTest", { body, query });
    terminal.out(json ? jsonLine(result) : inWords(result, terminal));
    const has = (wanted: string) => result.channels.some(({ result: happened }) => happened === wanted);
    return has("sent") && !has("failed") ? 0 : 1;
  },
});

function inWords({ enabled, channels, links }: ResultOf<"notifyTest">, { style }: Terminal): string {
  const marks = { sent: style.green("✓"), off: style.dim("–"), failed: style.red("✗") };
  const lines = channels.map(({ channel, result, detail }) => `${marks[result]} ${channel}: ${safeLine(detail)}`);
  const served = links.port === undefined ? "its port cannot be used; see the daemon's log" : `port ${links.port}`;
  return [
    ...lines,
    ...(links.base === "" ? [] : [`Links: ${safeLine(links.base)}, served on 127.0.0.1, ${served}`]),
    ...(enabled ? [] : [style.yellow("! notify.enabled is false: you are not notified about questions")]),
    "",
  ].join("\n");
}
