import { safeText } from "../../../core/text/text.ts";
import { jsonLine } from "../json.ts";
import { namePane } from "../../terminal/name-pane.ts";
import { defineCommand } from "../command-line/define.ts";

export const command = defineCommand({
  about:
    "For an agent that runs in tmux without Parley's hooks: a dialog on the screen of that pane becomes a question in your inbox, and the answer is typed into it. Without a pane: which are watched, and what stands there.",
  options: {
    stop: { description: "watch it no longer" },
    server: { value: "SOCKET", of: "file", description: "of another tmux server than the one you are in" },
  },
  positionals: { pane: { optional: true } },
  needs: "One pane is needed: parley watch %3",
  examples: [
    ["parley watch %3", "watch the pane with this id (tmux list-panes -a)"],
    ["parley watch %3 --stop", "watch it no longer"],
    ["parley watch", "which panes are watched, and what stands there"],
  ],
  async run({ pane: name, stop, server: socket, json }, { terminal, client }) {
    if (name === undefined) return list();
    const pane = namePane(name, socket, terminal.env);
    if (stop) {
      const { watched } = await client.call("unwatchPane", { body: pane });
      terminal.out(
        json ? jsonLine({ watched }) : watched ? `✓ ${pane.id} is no longer watched\n` : `${pane.id} was not watched\n`,
      );
      return 0;
    }
    const found = await client.call("watchPane", { body: pane });
    terminal.out(json ? jsonLine(found) : `✓ watching ${pane.id}: ${safeText(found.sees)}\n`);
    return 0;

    async function list(): Promise<number> {
      const { panes } = await client.call("listPanes", {});
      const lines = panes.map(({ id, server, sees }) => `${id.padEnd(5)} ${safeText(sees)}  (${safeText(server)})\n`);
      const none = "No pane is watched. See: parley watch --help\n";
      terminal.out(json ? jsonLine({ panes }) : lines.join("") || none);
      return 0;
    }
  },
});
