import { asked, createFence, factsOf } from "./material.ts";
import type { BrainRequest } from "./brain.ts";
import type { Message } from "./message.ts";

const SYSTEM = `You protect a person who is away. Their coding agent asks something. You say whether they have to answer it themselves; you do not answer it. In doubt they have to.`;

const WHAT = `## What to say
- needsPerson: true where an answer could do something that the person would want to decide: what cannot be undone, reaches others or the machine outside the project's folder, costs money or quota, shows something private, gives the agent more freedom, deletes or replaces something; where it is about taste, plans or priorities that only they know; or where you cannot tell from the question alone. Otherwise false.
- For each option of each question, counted from 0:
  reversible: it can be undone by editing the project's files
  outside: it does something outside the project's folder
  spends: it costs money, quota or credits
  reveals: it shows a secret or something private to anybody
  widens: it lets the agent do more than before, or with fewer questions
  destroys: it deletes, overwrites or replaces something
  quote: the words of that option or of the question that you judged by, letter for letter`;

const FORM = `{"needsPerson":true or false,"options":[{"question":0,"option":0,"reversible":true or false,"outside":…,"spends":…,"reveals":…,"widens":…,"destroys":…,"quote":"…"}],"reason":"one sentence"}`;

/**
 * The first thing a brain is asked: whether a person has to answer. Contract: no documents, no earlier answers and
 * nothing the agent said besides the question, for these could only argue that it is harmless.
 */
export function screenMessage(
  { ask, phase }: BrainRequest,
  { nonce, command }: { nonce: string; command?: string | undefined },
): Message {
  const fence = createFence(nonce);
  const material = [factsOf(ask, phase), ...ask.questions.map((each, i) => asked(each, i))].join("\n\n");
  const how =
    command === undefined
      ? ["Reply with one JSON object and nothing else:", FORM]
      : [
          "Run this command, with one JSON object of this form. Do nothing else:",
          `${command} --verdict '{…}'`,
          FORM,
          "Write ' inside the JSON as \\u0027.",
        ];
  return {
    system: SYSTEM,
    text: [
      `A coding agent has stopped and asks its person. Does this need a person?\n${fence.meaning}`,
      fence.around(material),
      WHAT,
      ["## How to say it", ...how].join("\n"),
    ].join("\n\n"),
  };
}
