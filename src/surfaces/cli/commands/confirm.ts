import { parseArgs } from "node:util";
import type { Outcome } from "../../../core/ask/outcome.ts";
import { ParleyError } from "../../../core/error.ts";
import { safeLine, safeText } from "../../../core/text/text.ts";
import type { AskView } from "../../../protocol/view.ts";
import { askRequest, REQUEST_OPTIONS } from "../ask-request.ts";
import { FAILED } from "../exit-code.ts";
import { jsonLine } from "../json.ts";
import { answerLines, OUTCOME_EXIT } from "../../terminal/outcome.ts";
import type { Command, Context } from "../run.ts";
import { outcomeOf } from "./wait.ts";

const HELP = `Usage: parley confirm "Deploy?" [options]

Asks a person for yes or no and waits: if parley confirm "Deploy?"; then …

  --yes "ship it"     what Yes (option 1) means
  --no "wait"         what No (option 2) means
  --header H          a short label, 12 characters at most
  --context FILE      what to show with the question; - for standard input
  --timeout 10m       end the wait then; --on-timeout expire (default), choose=N
  --name NAME         who asks, as people see it
  --json

Exit codes: 0 yes, and nothing else · 1 no · 10 declined · 11 expired ·
12 cancelled · 13 chat · 15 own words instead of yes or no · 2, 69, 70, 74, 77
it failed
`;
const OWN_WORDS = 15;

/** Contract: 0 is a picked Yes and 1 a picked No; whatever else happens has another exit code. */
export const confirm: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...REQUEST_OPTIONS,
      header: { type: "string", default: "Confirm" },
      yes: { type: "string", default: "Go on" },
      no: { type: "string", default: "Do not go on" },
    },
  });
  const { terminal, client } = context;
  // Beside a question, -h was meant for something else, and 0 would be taken for yes.
  if (values.help && args.length > 1)
    throw new ParleyError("usage", "--help stands alone: parley confirm --help; a header is --header");
  if (values.help) return (terminal.out(HELP), 0);
  const [question, ...rest] = positionals;
  if (question === undefined || rest.length > 0)
    throw new ParleyError("usage", 'One question is needed: parley confirm "Deploy?"');
  const options = [
    { label: "Yes", description: values.yes },
    { label: "No", description: values.no },
  ];
  const questions = [{ question, header: values.header, multiSelect: false, options }];
  const made = await client.call("createAsk", { body: await askRequest(questions, values, terminal) });
  if (terminal.isTty) terminal.err(terminal.style.dim(`Asked as ${made.id}; waiting …\n`));
  return tell(await outcomeOf(made.id, undefined, context), values.json ?? false, terminal);
};

function tell(ask: AskView, json: boolean, { out, err }: Context["terminal"]): number {
  const { outcome } = ask;
  const code = exitOf(outcome);
  if (json) return (out(jsonLine({ ...ask, ...(code <= 1 && { confirmed: code === 0 }) })), code);
  if (outcome) out(answerLines(ask, outcome));
  const note = outcome?.answers?.[0]?.note;
  if (note !== undefined) err(`Note: ${safeText(note)}\n`);
  if (code === OWN_WORDS) err("✗ neither yes nor no: own words\n");
  else if (code > 1) err(`${safeLine(ask.sentence, { max: 500 })}\n`);
  return code;
}

function exitOf(outcome: Outcome | undefined): number {
  if (outcome?.type !== "answered") return (outcome && OUTCOME_EXIT[outcome.type]) ?? FAILED;
  const [answer] = outcome.answers ?? [];
  const [pick, ...others] = answer?.picks ?? [];
  const isPick = answer?.text === undefined && others.length === 0 && (pick === 0 || pick === 1);
  return isPick ? pick : OWN_WORDS;
}
