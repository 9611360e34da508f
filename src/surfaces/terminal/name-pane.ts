import type { Pane } from "../../core/ask/ask.ts";
import { ParleyError } from "../../core/error.ts";
import type { Terminal } from "./terminal.ts";

/** A pane as a person names it. Contract: never "the current one": its id is always said. */
export function namePane(name: string, server: string | undefined, env: Terminal["env"]): Pane {
  if (!/^%\d+$/.test(name))
    throw new ParleyError("usage", `"${name}" is not a pane id such as %3. See: tmux list-panes -a`);
  const here = server ?? env["TMUX"]?.split(",")[0];
  if (here === undefined || here === "")
    throw new ParleyError(
      "usage",
      "You are not in tmux: say which server with --server SOCKET (tmux display -p '#{socket_path}')",
    );
  return { server: here, id: name };
}
