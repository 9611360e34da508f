import { sessionAround } from "../../../../agents/agents.ts";
import { shortId } from "../../../../core/id.ts";
import { defineCommand } from "../../command-line/define.ts";
import { findAsk } from "../../find-ask.ts";
import { tellSettled } from "../../answering/tell-settled.ts";

export const command = defineCommand({
  about:
    "Takes back what the autopilot is about to answer, while it is still held. Then it is yours to answer; the autopilot does not try again.",
  positionals: { id: { of: "ask" } },
  needs: "Give one id: parley undo <id>",
  async run({ id: typed, json }, { terminal, client }) {
    const { id } = await findAsk(client, typed);
    const session = sessionAround(terminal.env);
    const body = { surface: "cli", ...(session !== undefined && { session }) };
    const ask = await client.call("undoAutopilot", { id, body });
    const sentence = `✓ taken back; answer it: parley answer ${shortId(id)} <number>`;
    return tellSettled({ ask, sentence, code: 0 }, json, terminal);
  },
});
