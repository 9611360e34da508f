import { isUp } from "../../../../client/wire.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about: "How many questions wait, as a number; nothing where Parley does not run. For status lines.",
  examples: [
    ["set -g status-right '#(parley count) %H:%M'", "in tmux"],
    [`"statusLine": {"type": "command", "command": "parley count"}`, "in Claude Code"],
  ],
  /** Starts nothing: a status line must not bring back what somebody stopped. */
  async run({ json }, { terminal, client, paths }) {
    if (!(await isUp(paths))) return (terminal.out(json ? jsonLine({ open: null }) : ""), 3);
    const { asks } = await client.call("status");
    const open = asks.open - (asks.snoozed ?? 0);
    terminal.out(json ? jsonLine({ open }) : `${open}\n`);
    return 0;
  },
});
