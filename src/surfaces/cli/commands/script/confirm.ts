import type { Outcome } from "../../../../core/ask/outcome.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { askRequest, REQUEST_OPTIONS, waitingLine } from "../../ask-request.ts";
import { FAILED } from "../../exit-code.ts";
import { jsonLine } from "../../json.ts";
import { answerLines, OUTCOME_EXIT } from "../../../terminal/outcome.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { outcomeOf } from "./wait.ts";

const OWN_WORDS = 15;

/** Contract: 0 is a picked Yes and 1 a picked No; whatever else happens has another exit code. */
export const command = defineCommand({
  usage: ['"Deploy?" [options]'],
  about: 'Asks a person for yes or no and waits: if parley confirm "Deploy?"; then …',
  options: {
    yes: { value: '"ship it"', default: "Go on", description: "what Yes (option 1) means" },
    no: { value: '"wait"', default: "Do not go on", description: "what No (option 2) means" },
    ...REQUEST_OPTIONS,
  },
  positionals: { question: {} },
  needs: 'Give one question: parley confirm "Deploy?"',
  // Beside a question, -h was meant for something else, and 0 would be taken for yes.
  helpStandsAlone: "--help stands alone: parley confirm --help; a header is --header",
  notes: `Exit codes: 0 yes, and nothing else · 1 no · 10 declined · 11 expired ·
12 cancelled · 13 chat · 15 own words instead of yes or no · 2, 69, 70, 74, 77
it failed`,
  async run({ question, ...values }, context) {
    const { terminal, client } = context;
    const options = [
      { label: "Yes", description: values.yes },
      { label: "No", description: values.no },
    ];
    const questions = [{ question, header: values.header ?? "Confirm", multiSelect: false, options }];
    const made = await client.call("createAsk", { body: await askRequest(questions, values, terminal) });
    if (terminal.isTty) terminal.err(terminal.style.dim(waitingLine(made.id)));
    return tell(await outcomeOf(made.id, undefined, context), values.json, terminal);
  },
});

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
