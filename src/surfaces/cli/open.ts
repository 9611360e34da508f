import { parseArgs } from "node:util";
import { ParleyError } from "../../core/error.ts";
import { jsonLine } from "./json.ts";
import type { Command } from "./run.ts";
import { type Terminal } from "./terminal.ts";

const HELP = `Usage: parley open [--print] [--json]

Opens the web page, signed in. The address carries a code that works once and
for a minute; the browser changes it for a cookie.

  --print   only print the address, to open it somewhere else
`;
/** The desktop's own way to open an address; the first that is there. */
const OPENERS = ["xdg-open", "open", "wslview"];

export const open: Command = async (args, { terminal, client }) => {
  const { values } = parseArgs({
    args,
    options: { print: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const { code, url, address, expiresAt } = await client.call("openPage");
  const page = address || url;
  const link = `${page}/#code=${code}`;
  if (values.json) return (terminal.out(jsonLine({ url: link, page, expiresAt })), 0);
  if (values.print) return (terminal.out(`${link}\n`), 0);
  await inBrowser(`${url}/#code=${code}`, terminal);
  terminal.out(`Opened ${terminal.style.bold(url)} in your browser\n`);
  return 0;
};

async function inBrowser(link: string, { env }: Terminal): Promise<void> {
  const opener = OPENERS.find((name) => Bun.which(name, { PATH: env["PATH"] ?? "" }) !== null);
  if (opener === undefined)
    throw new ParleyError("usage", "No browser can be opened from here. See the address: parley open --print");
  const { exited, stderr } = Bun.spawn([opener, link], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  if ((await exited) === 0) return;
  const [why = ""] = (await stderr.text()).split("\n");
  throw new ParleyError("internal", `${opener} failed${why && `: ${why}`}. See the address: parley open --print`);
}
