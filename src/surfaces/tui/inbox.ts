import { parseArgs } from "node:util";
import { ParleyError } from "../../core/error.ts";
import type { Command } from "../cli/run.ts";
import { firstPage } from "./first-page.ts";

const HELP = `Usage: parley inbox   (or parley alone)

The inbox on the whole terminal: what waits for you, what was settled, and the
sessions of your agents. Live; ? shows the keys. The same in a tmux popup:

  bind-key i display-popup -E -w 95% -h 95% parley
`;

export const inbox: Command = async (args, context) => {
  const { values } = parseArgs({ args, options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  const { terminal, client } = context;
  if (values.help) return (terminal.out(HELP), 0);
  if (!terminal.isTty || !terminal.ask || values.json)
    throw new ParleyError("usage", "The inbox needs a terminal; see: parley ls, parley review");
  // The daemon answers while the rest of the code is loaded.
  const first = firstPage(client);
  first.catch(() => undefined);
  const { openInbox } = await import("./open-inbox.ts");
  return openInbox(context, first);
};
