import { resolve } from "node:path";
import type { Pane } from "../../../../core/ask/ask.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeText } from "../../../../core/text/text.ts";
import { jsonLine } from "../../json.ts";
import { namePane } from "../../../terminal/name-pane.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";

export const command = defineCommand({
  about:
    "For an agent that runs in tmux without Parley's hooks: a dialog on the screen of that pane becomes a question in your inbox, and the answer is typed into it. For an agent that listens itself (opencode serve, opencode --port): Parley connects to it. Without either: what is watched, and what is seen there.",
  options: {
    stop: { description: "stop watching it" },
    server: { value: "SOCKET", of: "file", description: "a tmux server other than the one you are in" },
    "password-file": { value: "FILE", of: "file", description: "with the password of the agent's server" },
  },
  positionals: { place: { optional: true } },
  needs: "Give one pane or address: parley watch %3",
  examples: [
    ["parley watch work", "watch the tmux session work, of one pane"],
    ["parley watch %3", "watch this pane (tmux list-panes -a)"],
    ["parley watch http://127.0.0.1:4096", "connect to the agent that listens there"],
    ["parley watch %3 --stop", "stop watching it"],
    ["parley watch", "what is watched, and what is seen there"],
  ],
  notes: "To answer a dialog in a pane once, without the inbox: parley keys --help",
  async run({ place, stop, server, "password-file": file, json }, context) {
    if (place === undefined) return list(json, context);
    if (!/^https?:/.test(place) && file !== undefined)
      throw new ParleyError("usage", "--password-file is for an address: parley watch http://127.0.0.1:4096");
    const password = file === undefined ? {} : { passwordFile: resolve(context.terminal.cwd, file) };
    return /^https?:/.test(place)
      ? address({ url: place, ...password }, { stop, json }, context)
      : pane(await namePane(place, server, context.terminal.env), { stop, json }, context);
  },
});

type Flags = { stop: boolean; json: boolean };

async function pane(body: Pane, { stop, json }: Flags, { terminal, client }: Context) {
  const found = stop ? await client.call("unwatchPane", { body }) : await client.call("watchPane", { body });
  return said(body.id, found, json, terminal);
}

async function address(
  body: { url: string; passwordFile?: string },
  { stop, json }: Flags,
  { terminal, client }: Context,
): Promise<number> {
  const found = stop ? await client.call("unwatchServer", { body }) : await client.call("watchServer", { body });
  return said(body.url, found, json, terminal);
}

function said(name: string, found: object, json: boolean, { out }: Context["terminal"]): number {
  const words =
    "sees" in found
      ? `✓ watching ${name}: ${safeText(String(found.sees))}`
      : "watched" in found && found.watched
        ? `✓ ${name} is no longer watched`
        : `${name} was not watched`;
  out(json ? jsonLine(found) : `${words}\n`);
  return 0;
}

async function list(json: boolean, { terminal, client }: Context): Promise<number> {
  const [{ panes }, { servers }] = await Promise.all([client.call("listPanes", {}), client.call("listServers", {})]);
  const lines = [
    ...panes.map(({ id, server, sees }) => `${id.padEnd(5)} ${safeText(sees)}  (${safeText(server)})\n`),
    ...servers.map(({ url, sees }) => `${safeText(url)}  ${safeText(sees)}\n`),
  ];
  const none = "Nothing is watched. See: parley watch --help\n";
  terminal.out(json ? jsonLine({ panes, servers }) : lines.join("") || none);
  return 0;
}
