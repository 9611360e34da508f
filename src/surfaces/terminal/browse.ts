import type { Client } from "../../client/client.ts";
import { ParleyError } from "../../core/error.ts";
import { bothEndsFrom } from "../../machine/file/both-ends.ts";

/** The desktop's own way to open an address; the first that is there. */
const OPENERS = ["xdg-open", "open", "wslview"];

/** Opens the page in the person's browser, signed in, at one question if there is one. Says where the page is. */
export async function browse(client: Client, env: Record<string, string | undefined>, ask?: string): Promise<string> {
  const opener = OPENERS.find((name) => Bun.which(name, { PATH: env["PATH"] ?? "" }) !== null);
  if (opener === undefined)
    throw new ParleyError("usage", "No browser can be opened from here. See the address: parley open --print");
  const { code, url } = await client.call("openPage");
  const link = `${url}/#code=${code}${ask === undefined ? "" : `&ask=${ask}`}`;
  const { exited, stderr } = Bun.spawn([opener, link], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = bothEndsFrom(stderr, { head: 1000, tail: 0 });
  // Not until it has said all: the browser it opened may keep its output for days.
  if ((await exited) === 0) return url;
  const [why = ""] = (await said).split("\n");
  throw new ParleyError("internal", `${opener} failed${why && `: ${why}`}. See the address: parley open --print`);
}
