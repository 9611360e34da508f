import { safeLine } from "../../../../core/text/text.ts";
import { defineCommand } from "../../command-line/define.ts";
import { jsonLine } from "../../json.ts";

export const command = defineCommand({
  about: "Leaves the hub: the line to it ends now, and nothing more is shared. What it has seen it keeps.",
  async run({ json }, { terminal, client }) {
    const result = await client.call("leaveHub");
    const { left, hub = "", told } = result;
    const unheard = told ? "" : ". It could not be told: somebody there should revoke this machine";
    const words = left ? `✓ left ${safeLine(hub)}${unheard}` : "This machine has not joined a hub.";
    terminal.out(json ? jsonLine(result) : `${words}\n`);
    return 0;
  },
});
