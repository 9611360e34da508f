import { sessionAround } from "../../../../agents/agents.ts";
import { defineCommand } from "../../command-line/define.ts";
import { findAsk } from "../../find-ask.ts";
import { proven } from "../../answering/settle-ask.ts";
import { tellSettled } from "../../answering/tell-settled.ts";

export const command = defineCommand({
  about: "Takes what the autopilot proposes as your answer.",
  positionals: { id: { of: "ask" } },
  needs: "Give one id: parley accept <id>",
  async run({ id, json }, { terminal, client }) {
    const found = await findAsk(client, id);
    const session = sessionAround(terminal.env);
    const body = { surface: "cli", ...(session !== undefined && { session }) };
    const accept = () => client.call("acceptProposal", { id: found.id, body });
    return tellSettled(await proven(found, client, accept), json, terminal);
  },
});
