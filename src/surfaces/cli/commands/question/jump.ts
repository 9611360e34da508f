import type { Pane } from "../../../../core/ask/ask.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeText } from "../../../../core/text/text.ts";
import { shellQuote } from "../../../../machine/shell-quote.ts";
import { assertTmux, tmuxAtOnce } from "../../../../machine/tmux.ts";
import { findAsk } from "../../find-ask.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Terminal } from "../../../terminal/terminal.ts";

export const command = defineCommand({
  about:
    "Goes to the tmux pane where the agent that asked runs. Inside tmux your client switches there; outside it prints the command that attaches to it.",
  positionals: { id: { of: "ask" } },
  needs: "Give one id: parley jump <id>",
  async run({ id, json }, { terminal, client }) {
    const { pane } = (await findAsk(client, id)).origin;
    const { switched, attach } = jumpTo(pane, terminal.env);
    if (json) return (terminal.out(jsonLine({ pane, switched, attach })), 0);
    if (!switched) terminal.out(`${attach}\n`);
    return 0;
  },
});

/** Switches this terminal's tmux client to the pane, or says how to attach to it. */
export function jumpTo(pane: Pane | undefined, env: Terminal["env"]): { switched: boolean; attach: string } {
  if (!pane) throw new ParleyError("not_found", "Its agent does not run in tmux, as far as Parley knows");
  assertTmux();
  refuseGone(pane);
  const isHere = env["TMUX"]?.split(",")[0] === pane.server;
  const switched = isHere && tmuxAtOnce(pane.server, "switch-client", "-t", pane.id) !== undefined;
  return { switched, attach: safeText(`tmux -S ${shellQuote(pane.server)} attach -t '${pane.id}'`) };
}

function refuseGone({ server, id }: Pane): void {
  // The id comes from an agent's environment; only tmux's own form of it reaches tmux.
  const found = /^%\d+$/.test(id) ? tmuxAtOnce(server, "display-message", "-p", "-t", id, "#{pane_id}") : undefined;
  if (found?.trim() !== id) throw new ParleyError("not_found", `The tmux pane ${id} is gone`);
}
