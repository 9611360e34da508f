import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import { answerKeys } from "./keys-answer.ts";
import { look } from "./keys-look.ts";
import type { Command } from "../run.ts";

const HELP = `Usage: parley keys look <session|pane> [--json]
       parley keys answer <session|pane> '<actions>' [--dry-run] [--json]

Reads and answers the dialog of an agent in tmux by its own keys, one at a time,
each only when the screen has shown the effect of the one before. Only where
nothing better exists: a session with Parley's hooks is answered with
"parley answer".

  parley keys look %3                     what is recognised in that pane
  parley keys answer %3 '[{"action":"select","optionIndex":1}]'
  parley keys answer %3 '<actions>' --dry-run   what it would do; no key

One action for each question, options numbered from 0:
  {"action":"select","optionIndex":1}
  {"action":"type","text":"own words"}
  {"action":"multi-select","selectedIndices":[0,2],"text":"and mine"}
  {"action":"chat","text":"a message instead of an answer"}

  --server SOCKET   of another tmux server than the one you are in
Exit codes: 0 the agent received it · 1 stopped, it says where · 2 wrong actions
3 no such pane or session · 4 the pane takes no keys now · 5 the agent received
something else
`;

export const keys: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "dry-run": { type: "boolean" },
      server: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (context.terminal.out(HELP), 0);
  const [verb, target, ...rest] = positionals;
  const options = { server: values.server, json: values.json === true };
  if (verb === "look" && values["dry-run"])
    throw new ParleyError("usage", "--dry-run belongs to: parley keys answer. To look presses nothing");
  if (verb === "look" && target !== undefined && rest.length === 0) return look(target, options, context);
  const [actions, ...more] = rest;
  if (verb === "answer" && target !== undefined && actions !== undefined && more.length === 0)
    return answerKeys(target, actions, { ...options, dryRun: values["dry-run"] === true }, context);
  throw new ParleyError("usage", "What shall be done? parley keys look %3, or: parley keys answer %3 '<actions>'");
};
