import { parseArgs } from "node:util";
import { browse } from "../../terminal/browse.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley open [--print] [--json]

Opens the web page, signed in. The address carries a code that works once and
for a minute; the browser changes it for a cookie.

  --print   only print the address, to open it somewhere else
`;

export const open: Command = async (args, { terminal, client }) => {
  const { values } = parseArgs({
    args,
    options: { print: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  if (!values.json && !values.print) {
    const url = await browse(client, terminal.env);
    terminal.out(`Opened ${terminal.style.bold(url)} in your browser\n`);
    return 0;
  }
  const { code, url, address, expiresAt } = await client.call("openPage");
  const page = address || url;
  const link = `${page}/#code=${code}`;
  terminal.out(values.json ? jsonLine({ url: link, page, expiresAt }) : `${link}\n`);
  return 0;
};
