/** A brain that plays by the rules: it reads what it is told and says all that is asked of it. Run as a program it decides. */

type Told = { options: string[]; text: string };

function questionsIn(message: string): Told[] {
  return message
    .split(/^### Question \d+: .*$/m)
    .slice(1)
    .map((part) => {
      const [, text = ""] = part.split("\n");
      const options = [...part.matchAll(/^ {2}\d+\. (.*?)(?: \(recommended by the agent\))?(?: — .*)?$/gm)];
      return { text, options: options.map(([, label = ""]) => label) };
    });
}

/** Whether a person is needed: never; what each option does: nothing. `more` is said of each option. */
export function screened(message: string, more: object = {}): string {
  const facts = {
    reversible: true,
    outside: false,
    spends: false,
    reveals: false,
    widens: false,
    destroys: false,
    ...more,
  };
  const options = questionsIn(message).flatMap(({ text, options: labels }, question) =>
    labels.map((_, option) => ({ question, option, ...facts, quote: text })),
  );
  return JSON.stringify({ needsPerson: false, options, reason: "only a choice" });
}

/** Picks the option of this label wherever it stands, by what the person answered before. */
export function decided(message: string, label: string, more: object = {}): string {
  const questions = questionsIn(message);
  const [, precedent, quote] = /^### Precedent (\S+):.*\nasked: .*\nanswered: (.*)$/m.exec(message) ?? [];
  const actions = questions.map(({ options }) => ({
    action: "select",
    optionIndex: Math.max(0, options.indexOf(label)),
  }));
  const decidedBy = questions.map(() => (precedent === undefined ? "judgement" : { precedent, quote }));
  return JSON.stringify({ actions, decidedBy, reason: "so says the verdict", confidence: 0.9, ...more });
}

export const isFirst = (message: string) => message.includes("Does this need a person?");
export const isTold = (message: string) => message.includes("nothing to answer now");

export function replyTo(message: string, label: string): string {
  if (isTold(message)) return "OK";
  return isFirst(message) ? screened(message) : decided(message, label);
}

if (import.meta.main) {
  const { message } = JSON.parse(await Bun.stdin.text()) as { message: string };
  await Bun.write(Bun.stdout, `${replyTo(message, process.argv[2] ?? "")}\n`);
}
