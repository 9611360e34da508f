import { ParleyError } from "../../core/error.ts";
import { defineCommand } from "../cli/command-line/define.ts";
import { firstPage } from "./first-page.ts";

export const command = defineCommand({
  usage: ["  (or parley alone)"],
  about:
    "The inbox, full screen: what waits for you, what was settled, and the sessions of your agents. Live; ? shows the keys.",
  options: {
    hub: { description: "what all machines of the hub in PARLEY_HUB ask" },
    json: { hidden: true, description: "refused: needs a terminal" },
  },
  examples: [["bind-key i display-popup -E -w 95% -h 95% parley", "the same in a tmux popup"]],
  async run({ json, hub }, context) {
    const { terminal, client } = context;
    if (!terminal.isTty || !terminal.ask || json)
      throw new ParleyError(
        "usage",
        `The inbox needs a terminal; see: ${hub ? "parley ls --hub" : "parley ls, parley review"}`,
      );
    if (hub) return (await import("./hub/open-hub-inbox.ts")).openHubInbox(context);
    // The daemon answers while the rest of the code is loaded.
    const first = firstPage(client);
    first.catch(() => undefined);
    const { openInbox } = await import("./open-inbox.ts");
    return openInbox(context, first);
  },
});
