import { parseArgs } from "node:util";
import { sessionAround } from "../../../agents/agents.ts";
import type { Client } from "../../../client/client.ts";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { safeLine } from "../../../core/text/text.ts";
import { findAsk } from "../find-ask.ts";
import type { AskView } from "../../../protocol/view.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";
import { proven, type Settled } from "../settle-ask.ts";
import { colourOf } from "../../terminal/terminal.ts";

const HELP = {
  accept: `Usage: parley accept <id> [--json]

Takes what the autopilot proposes as your answer.
`,
  undo: `Usage: parley undo <id> [--json]

Takes back what the autopilot is about to answer, while it is still held. It is
yours to answer then; the autopilot does not try again.
`,
};

type Call = { found: AskView; client: Client; body: { surface: string; session?: string } };
const DO = {
  accept: ({ found, client, body }: Call) =>
    proven(found, client, () => client.call("acceptProposal", { id: found.id, body })),
  async undo({ found, client, body }: Call): Promise<Settled> {
    const ask = await client.call("undoAutopilot", { id: found.id, body });
    return { ask, sentence: `✓ taken back; answer it: parley answer ${shortId(ask.id)} <number>`, code: 0 };
  },
};

const command =
  (name: "accept" | "undo"): Command =>
  async (args, { terminal, client }) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return (terminal.out(HELP[name]), 0);
    const [id, ...rest] = positionals;
    if (!id || rest.length > 0) throw new ParleyError("usage", `One id is needed: parley ${name} <id>`);
    const found = await findAsk(client, id);
    const session = sessionAround(terminal.env);
    const body = { surface: "cli", ...(session !== undefined && { session }) };
    const { ask, sentence, code } = await DO[name]({ found, client, body });
    const words = safeLine(sentence, { max: 500 });
    terminal.out(values.json ? jsonLine({ ...ask, result: words }) : `${colourOf(words, terminal.style)(words)}\n`);
    return code;
  };

export const accept = command("accept");
export const undo = command("undo");
