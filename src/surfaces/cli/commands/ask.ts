import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import { askRequest, optionNumber, REQUEST_OPTIONS } from "../ask-request.ts";
import { jsonLine } from "../json.ts";
import type { Command } from "../run.ts";
import { waitFor } from "./wait.ts";

const HELP = `Usage: parley ask "Which region?" -o "eu: Frankfurt" -o "us: Virginia" [options]

Asks a person, waits, and prints the answer. For yes or no: parley confirm

  -o "Label: what it means"  an option, 2 to 4 of them
  --multi             several may be chosen
  --header H          a short label, 12 characters at most
  --context FILE      what to show with the question; - for standard input
  --timeout 10m       end the wait then; --on-timeout expire (default), choose=N
  --no-wait           print the id and go on; parley wait <id> gets the answer
  --assume N          with --no-wait: what you go on with until somebody answers
  --name NAME         who asks, as people see it
  --json

Exit codes: 0 answered, whatever the answer is · 10 declined · 11 expired ·
12 cancelled · 13 chat
`;

export const ask: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...REQUEST_OPTIONS,
      option: { type: "string", short: "o", multiple: true, default: [] },
      multi: { type: "boolean" },
      "no-wait": { type: "boolean" },
      assume: { type: "string" },
    },
  });
  const { terminal, client } = context;
  if (values.help) return (terminal.out(HELP), 0);
  const [question, ...rest] = positionals;
  if (question === undefined || rest.length > 0)
    throw new ParleyError(
      "usage",
      'One question is needed: parley ask "Which region?" -o "eu: Frankfurt" -o "us: Virginia"',
    );
  if (values.assume !== undefined && !values["no-wait"]) throw new ParleyError("usage", "--assume goes with --no-wait");
  const options = values.option.map(readOption);
  const questions = [{ question, header: values.header, multiSelect: values.multi ?? false, options }];
  const body = {
    ...(await askRequest(questions, values, terminal)),
    ...(values.assume !== undefined && { assume: optionNumber(values.assume, "--assume") }),
  };
  const made = await client.call("createAsk", { body });
  if (values["no-wait"]) return (terminal.out(values.json ? jsonLine(made) : `${made.id}\n`), 0);
  if (terminal.isTty) terminal.err(terminal.style.dim(`Asked as ${made.id}; waiting …\n`));
  return waitFor(made.id, undefined, values.json ?? false, context);
};

/** `Label: what it means`; a label alone explains itself. The space matters: `10:30` and `http://x` are labels. */
function readOption(text: string): { label: string; description: string } {
  const [, label = text, description = label] = /^(.+?):\s+(.+)$/s.exec(text) ?? [];
  return { label: label.trim(), description: description.trim() };
}
