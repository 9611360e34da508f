import type { Client } from "../../client/client.ts";
import type { Pane } from "../../core/ask/ask.ts";
import { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { namePane } from "../terminal/name-pane.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type Target = { session?: string | undefined; pane: Pane };

/** A pane by its id, or a session by its own, shortened or not: then the pane it reported itself. */
export async function findTarget(
  name: string,
  server: string | undefined,
  client: Client,
  env: Terminal["env"],
): Promise<Target> {
  if (name.startsWith("%")) return { pane: namePane(name, server, env) };
  if (server !== undefined)
    throw new ParleyError("usage", "--server belongs to a pane such as %3: a session has reported where it runs");
  const { sessions } = await client.call("listSessions");
  const found = sessions.filter(({ id }) => id.startsWith(name));
  const [session, ...others] = found;
  if (!session)
    throw new ParleyError("not_found", `No session "${safeLine(name, { max: 60 })}", and no pane such as %3`);
  if (others.length > 0) throw new ParleyError("ambiguous", `${found.length} sessions begin with "${name}"`);
  if (!session.pane)
    throw new ParleyError("not_found", `Session ${session.id} does not run in tmux, as far as Parley knows`);
  return { session: session.id, pane: session.pane };
}
