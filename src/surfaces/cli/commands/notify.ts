import { ParleyError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { BodyOf, ResultOf } from "../../../protocol/contract.ts";
import { jsonLine } from "../json.ts";
import { defineCommand } from "../command-line/define.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const CHANNELS: readonly string[] = ["desktop", "ntfy", "webhook"];

const test = defineCommand({
  about:
    "Sends a test notification through every channel that is on, or through one, and says what happened. Quiet hours are ignored. Settings: parley config",
  options: { channel: { value: "CHANNEL", of: CHANNELS, description: "only this one: desktop, ntfy or webhook" } },
  notes: "Exit codes: 0 sent · 1 something failed, or nothing could be sent",
  async run({ channel, json }, { terminal, client }) {
    if (channel !== undefined && !CHANNELS.includes(channel))
      throw new ParleyError("usage", `--channel: expected one of ${CHANNELS.join(", ")}, not "${safeLine(channel)}"`);
    const body = { ...(channel !== undefined && { channel }) } as BodyOf<"notifyTest">;
    const result = await client.call("notifyTest", { body });
    terminal.out(json ? jsonLine(result) : inWords(result, terminal));
    const has = (wanted: string) => result.channels.some(({ result: happened }) => happened === wanted);
    return has("sent") && !has("failed") ? 0 : 1;
  },
});

export const command = defineCommand({
  about: "Notifications about questions that wait. Settings: parley config",
  subcommands: [{ name: "test", summary: "send one, and say what happened", load: async () => ({ command: test }) }],
  needs: "Say what to do: parley notify test",
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
