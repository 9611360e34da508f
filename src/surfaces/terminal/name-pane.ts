import type { Pane } from "../../core/ask/ask.ts";
import { ParleyError } from "../../core/error.ts";
import { safeLine } from "../../core/text/text.ts";
import { tmux } from "../../machine/tmux.ts";
import type { Terminal } from "./terminal.ts";

const EXAMPLE = "a pane such as %3, or a tmux session with one pane. See: tmux list-panes -a";

/** A pane as a person names it: by its id, or by its session, if that has only this one. Contract: never "the current one". */
export async function namePane(name: string, server: string | undefined, env: Terminal["env"]): Promise<Pane> {
  if (/^%\d+$/.test(name)) return { server: serverIn(server, env), id: name };
  const found = await paneOfSession(name, server, env);
  if (found) return found;
  throw new ParleyError("usage", `"${safeLine(name, { max: 60 })}" is not ${EXAMPLE}`);
}

/** Undefined: no such session. Contract: throws where it has several panes. */
export async function paneOfSession(
  name: string,
  server: string | undefined,
  env: Terminal["env"],
): Promise<Pane | undefined> {
  if (name === "" || Bun.which("tmux") === null) return undefined;
  const here = server ?? socketIn(env) ?? usualSocket(env);
  // Compared here: as a target tmux would take the beginning of a name for the name.
  const lines = (await tmux(here, "list-panes", "-a", "-F", "#{pane_id} #{session_name}"))?.split("\n") ?? [];
  const ids = lines.flatMap((line) => (line.slice(line.indexOf(" ") + 1) === name ? (line.split(" ")[0] ?? []) : []));
  const [id, ...others] = ids;
  if (id === undefined) return undefined;
  if (others.length === 0) return { server: here, id };
  const all = [id, ...others].slice(0, 10).join(", ");
  throw new ParleyError(
    "ambiguous",
    `tmux session "${safeLine(name, { max: 60 })}" has several panes: say which, ${all}`,
  );
}

function serverIn(server: string | undefined, env: Terminal["env"]): string {
  const here = server ?? socketIn(env);
  if (here !== undefined) return here;
  throw new ParleyError(
    "usage",
    "You are not in tmux: say which server with --server SOCKET (tmux display -p '#{socket_path}')",
  );
}

const socketIn = (env: Terminal["env"]) => env["TMUX"]?.split(",")[0] || undefined;
const usualSocket = (env: Terminal["env"]) => `${env["TMUX_TMPDIR"] || "/tmp"}/tmux-${process.getuid?.() ?? 0}/default`;
