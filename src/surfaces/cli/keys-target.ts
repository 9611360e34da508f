import type { Client } from "../../client/client.ts";
import type { Pane } from "../../core/ask/ask.ts";
import { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { namePane, paneOfSession } from "../terminal/name-pane.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type Target = { session?: string | undefined; pane: Pane };

/** A pane by its id, an agent's session by its own, shortened or not (then the pane it reported itself), or a tmux session by name. */
export async function findTarget(
  name: string,
  server: string | undefined,
  client: Client,
  env: Terminal["env"],
): Promise<Target> {
  if (name.startsWith("%") || server !== undefined) return { pane: await namePane(name, server, env) };
  const { sessions } = await client.call("listSessions");
  const found = sessions.filter(({ id }) => id.startsWith(name));
  const named = await paneOfSession(name, server, env);
  const [session, ...others] = found;
  if (named && session)
    throw new ParleyError("ambiguous", `"${name}" is a tmux session and an agent's: say the pane, ${named.id}`);
  if (named) return { pane: named };
  if (!session)
    throw new ParleyError("not_found", `No session "${safeLine(name, { max: 60 })}", of an agent or in tmux`);
  if (others.length > 0) throw new ParleyError("ambiguous", `${found.length} sessions begin with "${name}"`);
  if (!session.pane)
    throw new ParleyError("not_found", `Session ${session.id} does not run in tmux, as far as Parley knows`);
  return { session: session.id, pane: session.pane };
}
