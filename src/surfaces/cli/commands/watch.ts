import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import { safeText } from "../../../core/text/text.ts";
import { jsonLine } from "../json.ts";
import { namePane } from "../../terminal/name-pane.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley watch [<pane>] [--stop] [--server SOCKET] [--json]

For an agent that runs in tmux without Parley's hooks: a dialog on the screen of
that pane becomes a question in your inbox, and the answer is typed into it.

  parley watch %3           watch the pane with this id (tmux list-panes -a)
  parley watch %3 --stop    watch it no longer
  parley watch              which panes are watched, and what stands there

  --server SOCKET           of another tmux server than the one you are in
`;

export const watch: Command = async (args, { terminal, client }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      stop: { type: "boolean" },
      server: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const [name, ...rest] = positionals;
  if (rest.length > 0) throw new ParleyError("usage", "One pane is needed: parley watch %3");
  if (name === undefined) return list();
  const pane = namePane(name, values.server, terminal.env);
  if (values.stop) {
    const { watched } = await client.call("unwatchPane", { body: pane });
    terminal.out(
      values.json
        ? jsonLine({ watched })
        : watched
          ? `✓ ${pane.id} is no longer watched\n`
          : `${pane.id} was not watched\n`,
    );
    return 0;
  }
  const found = await client.call("watchPane", { body: pane });
  terminal.out(values.json ? jsonLine(found) : `✓ watching ${pane.id}: ${safeText(found.sees)}\n`);
  return 0;

  async function list(): Promise<number> {
    const { panes } = await client.call("listPanes", {});
    const lines = panes.map(({ id, server, sees }) => `${id.padEnd(5)} ${safeText(sees)}  (${safeText(server)})\n`);
    const none = "No pane is watched. See: parley watch --help\n";
    terminal.out(values.json ? jsonLine({ panes }) : lines.join("") || none);
    return 0;
  }
};
