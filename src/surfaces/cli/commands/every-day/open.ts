import { browse } from "../../../terminal/browse.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";

export const command = defineCommand({
  about:
    "Opens the web page, signed in. The address carries a code that works once and for a minute; the browser changes it for a cookie.",
  options: { print: { description: "only print the address, to open it somewhere else" } },
  async run({ print, json }, { terminal, client }) {
    if (!json && !print) {
      const url = await browse(client, terminal.env);
      terminal.out(`Opened ${terminal.style.bold(url)} in your browser\n`);
      return 0;
    }
    const { code, url, address, expiresAt } = await client.call("openPage");
    const page = address || url;
    const link = `${page}/#code=${code}`;
    terminal.out(json ? jsonLine({ url: link, page, expiresAt }) : `${link}\n`);
    return 0;
  },
});
