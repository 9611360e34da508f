import { ParleyError } from "../../../../core/error.ts";
import { askRequest, optionNumber, REQUEST_OPTIONS, waitingLine } from "../../ask-request.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import { waitFor } from "./wait.ts";

export const command = defineCommand({
  usage: ['"Which region?" -o "eu: Frankfurt" -o "us: Virginia" [options]'],
  about:
    "Asks a person, waits, and prints the answer. Without options the answer is their own words. For yes or no: parley confirm",
  options: {
    option: {
      short: "o",
      value: '"LABEL: MEANING"',
      repeatable: true,
      description: "an option, 2 to 4 of them or none",
    },
    multi: { description: "several may be chosen" },
    ...REQUEST_OPTIONS,
    wait: { description: "until somebody answers: the default" },
    "no-wait": { description: "print the id and go on; parley wait <id> gets the answer" },
    assume: { value: "N", description: "with --no-wait: what you go on with until somebody answers" },
  },
  positionals: { question: {} },
  needs: 'Give one question: parley ask "Which region?" -o "eu: Frankfurt" -o "us: Virginia"',
  notes: `Exit codes: 0 answered, whatever the answer is · 10 declined · 11 expired ·
12 cancelled · 13 chat`,
  async run({ question, ...values }, context) {
    const { terminal, client } = context;
    if (values.wait && values["no-wait"]) throw new ParleyError("usage", "Choose one: --wait or --no-wait");
    if (values.assume !== undefined && !values["no-wait"]) throw new ParleyError("usage", "--assume needs --no-wait");
    if (values.multi && values.option.length === 0) throw new ParleyError("usage", "--multi needs options: -o");
    const options = values.option.map(readOption);
    refuseOptions(options);
    const questions = [{ question, header: values.header ?? "Question", multiSelect: values.multi, options }];
    const body = {
      ...(await askRequest(questions, values, terminal)),
      ...(values.assume !== undefined && { assume: optionNumber(values.assume, "--assume") }),
    };
    const made = await client.call("createAsk", { body });
    if (values["no-wait"]) return (terminal.out(values.json ? jsonLine(made) : `${made.id}\n`), 0);
    if (terminal.isTty) terminal.err(terminal.style.dim(waitingLine(made.id)));
    return waitFor(made.id, undefined, values.json, context);
  },
});

/** In the words of the command line, before a daemon says it in those of its API. */
function refuseOptions(options: readonly { label: string }[]): void {
  const count = options.length;
  if (count === 1 || count > 4)
    throw new ParleyError(
      "usage",
      `Give 2 to 4 options (-o), or none for an answer in somebody's own words: here ${count === 1 ? "is 1" : `are ${count}`}`,
    );
  const empty = options.findIndex(({ label }) => label === "");
  if (empty >= 0) throw new ParleyError("usage", `Option ${empty + 1} (-o) is empty`);
}

/** `Label: what it means`; a label alone explains itself. The space matters: `10:30` and `http://x` are labels. */
function readOption(text: string): { label: string; description: string } {
  const [, label = text, description = label] = /^(.+?):\s+(.+)$/s.exec(text) ?? [];
  return { label: label.trim(), description: description.trim() };
}
