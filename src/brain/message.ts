import { CATEGORY_ADVICE, PHASE_ADVICE } from "../core/autopilot/ladder/advice.ts";
import type { Problem } from "../core/error.ts";
import { safeLine, safeText, tailText } from "../core/text/text.ts";
import type { BrainRequest } from "./brain.ts";
import { asked, createFence, factsOf, type Fence } from "./material.ts";

/** A reply that did not fit the questions, and why. */
export type Refused = { reply: string; problems: readonly Problem[] };
export type Message = { system: string; text: string };
type Options = {
  /** Nobody who wrote what is fenced can have known it. */
  nonce: string;
  /** How it answers where it does not simply reply: the command line before its actions. */
  command?: string | undefined;
  refused?: Refused | undefined;
};

const MOST_SAID = 8000;

/** What a brain reads. Contract: everything that others wrote stands between the two marks with the nonce. */
export function messageFor(request: BrainRequest, { nonce, command, refused }: Options): Message {
  const fence = createFence(nonce);
  return {
    system: SYSTEM,
    text: [
      `A coding agent has stopped and asks its person. Decide in their place.\n${fence.meaning}`,
      fence.around(material(request)),
      ...(request.corrections ?? []).map((text) => `${CORRECT}\n${fence.around(safeText(text))}`),
      howToDecide(request),
      howToAnswer(request, command),
      ...(refused ? [whatWasWrong(refused, fence)] : []),
    ].join("\n\n"),
  };
}

/** What a brain is told that has nothing to answer: what became of its decision. */
export function toldMessage(text: string, nonce: string): Message {
  const fence = createFence(nonce);
  return { system: SYSTEM, text: `${BECAME}\n${fence.meaning}\n${fence.around(safeText(text))}\n${PUT_RIGHT}` };
}

export const SYSTEM = `You decide for a person who is away. Their coding agent asks, and goes on with exactly what you answer. You are no rubber stamp: agents recommend what is wrong for the project, and ask what is already decided. Judge by the project's own documents.`;

const CORRECT = `An earlier answer of yours did not arrive as you meant it. Correct it with this one: type or chat.`;
const BECAME = `An earlier answer of yours did not arrive as you meant it. What was meant and what was received:`;
const PUT_RIGHT = `You can put it right with the next question of that session: type or chat.`;

function material({ ask, categories, phase, documents, said, precedents = [] }: BrainRequest): string {
  const last = said ?? ask.origin.lastText;
  return [
    factsOf(ask, phase),
    ...ask.questions.map((question, i) => asked(question, i, categories?.[i])),
    ...(last ? [`### What the agent said before\n${safeText(tailText(last, MOST_SAID))}`] : []),
    ...precedents.map(
      (each) =>
        `### Precedent ${safeLine(each.id)}: what the person answered to this before\nasked: ${safeLine(each.asked, { max: 600 })}\nanswered: ${safeLine(each.answered, { max: 600 })}`,
    ),
    ...documents.map(
      ({ name, text, cut }) => `### ${safeLine(name)}${cut ? " (only its beginning)" : ""}\n${safeText(text)}`,
    ),
    ...(documents.length === 0 ? ["The project has none of the documents that are looked for."] : []),
  ].join("\n\n");
}

function howToDecide({ categories = [], phase }: BrainRequest): string {
  const advice = [...new Set(categories)].map((category) => `- ${category}: ${CATEGORY_ADVICE[category]}`);
  return [
    "## How to decide",
    "- Read each question and every description. Check what the agent recommends against the documents before you accept it.",
    "- An option fits the project's direction: select it. None does, or one nearly does: type the right answer with your reason.",
    "- The question itself is wrong (contradicts the documents, belongs to another phase, is already decided): chat, and say why.",
    "- Never take the first option because it is the first.",
    ...advice,
    ...(phase === undefined ? [] : [`- phase ${phase}: ${PHASE_ADVICE[phase]}`]),
  ].join("\n");
}

function howToAnswer({ ask: { questions } }: BrainRequest, command: string | undefined): string {
  const several =
    questions.length > 1 ? `${questions.length} actions, one for each question, in their order` : "one action";
  const actions = [
    `{"action":"select","optionIndex":0,"label":"…"}              one option; single-select questions`,
    `{"action":"multi-select","selectedIndices":[0,2],"labels":["…","…"]}  several; multi-select questions`,
    `{"action":"type","text":"…"}                                 own words instead of an option`,
    `{"action":"chat","text":"…"}                                 no answer yet: talk about it (for all questions)`,
  ];
  const form =
    command === undefined
      ? [`Reply with one JSON object and nothing else; "actions" is a list of ${several}:`, FORM]
      : [
          `Run this command, with a JSON list of ${several}, what it rests on, your reason and confidence (0 to 1):`,
          `${command} --actions '[…]' --reason '…' --confidence 0.8 --verdict '{"decidedBy":[…]}'`,
          "Write ' inside the JSON as \\u0027. If it names problems, mend them and run it once more. Do nothing else.",
        ];
  return [
    "## How to answer",
    ...form,
    "Options are counted from 0. A label must be that of the option.",
    ...actions,
    `"decidedBy" is a list with one for each question, of what decides it. A quote is letter for letter; only what is really there counts:`,
    `{"document":"ROADMAP.md","quote":"…"}                        a document says so`,
    `{"precedent":"…","quote":"…"}                                the person answered so before; the quote is of their answer`,
    `"judgement"                                                  nothing there decides it: your answer is shown to the person`,
  ].join("\n");
}

const FORM = `{"actions":[…],"decidedBy":[…],"reason":"one or two sentences","confidence":0.0 to 1.0}`;

function whatWasWrong({ reply, problems }: Refused, fence: Fence): string {
  const found = problems.map(({ field, message, limit, actual }) =>
    [`- ${field}: ${message}`, limit && `allowed: ${limit}`, actual && `yours: ${safeLine(actual, { max: 200 })}`]
      .filter(Boolean)
      .join("; "),
  );
  // What is wrong quotes labels, which the agent wrote.
  const wrong = found.length === 0 ? [] : ["What is wrong with it:", fence.around(safeText(found.join("\n")))];
  return [
    "## Your reply before was refused",
    fence.around(safeText(reply, { max: 2000 })),
    ...wrong,
    "Answer again. This is the last time you are asked.",
  ].join("\n");
}
