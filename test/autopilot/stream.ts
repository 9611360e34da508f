import { replay, type Replayed } from "../../src/autopilot/replay.ts";
import type { Look } from "../../src/autopilot/look.ts";
import type { Ask } from "../../src/core/ask/ask.ts";
import type { Answer } from "../../src/core/ask/answer/answer.ts";
import type { Question } from "../../src/core/ask/question.ts";
import { isRecommended } from "../../src/core/ask/question.ts";
import { subjectOf } from "../../src/core/autopilot/category/subject.ts";
import { gateOf } from "../../src/core/autopilot/gate/gate.ts";
import { runLadder } from "../../src/core/autopilot/ladder/ladder.ts";
import { keysOf } from "../../src/core/autopilot/ladder/precedent.ts";
import { AutopilotConfig } from "../../src/core/config/autopilot.ts";
import { answered, askOf, question } from "../sample.ts";

/** So long a stream, a quarter of it from workflows that ask the same with something else in it. */
export const LENGTH = 300;
const TEMPLATED = 0.25;
/** How often each of them comes: few often, many seldom. */
const WEIGHTS = [20, 14, 10, 8, 6, 5, 4, 3, 3, 2];
/** Of ten of their questions most people answer nearly all alike, and some hardly. */
const STEADY = { share: 0.7, equal: 0.995, otherwise: 0.55 };
const OWN_WORDS = 0.24;
const FOLLOWS = 0.57;
const OWN_WORDS_TEMPLATED = 0.005;
const PER_SESSION = 15;

type Shape = { text: (topic: string) => string; labels: string[] };
/** In plain words, so that the gate lets each of them pass; the other ones say the same as workflows mostly do. */
const TEMPLATES: Record<Wording, Shape[]> = {
  plain: [
    { text: (t) => `More questions about ${t}, or should we continue?`, labels: ["More questions", "Next area"] },
    { text: (t) => `Should the tests for ${t} come first or later?`, labels: ["First", "Later"] },
    { text: (t) => `Does the idea for ${t} look good to you?`, labels: ["Looks good", "Not yet"] },
    { text: (t) => `Is an example for ${t} helpful for you now?`, labels: ["Yes", "No"] },
    { text: (t) => `How deep should we go into ${t} for now?`, labels: ["Short", "Normal", "Deep"] },
    { text: (t) => `Is the summary of ${t} good enough for you?`, labels: ["Good", "Not yet"] },
    { text: (t) => `Should the text about ${t} be short or long?`, labels: ["Short", "Long"] },
    { text: (t) => `Is the list of ${t} ready for us to continue?`, labels: ["Yes", "Not yet"] },
    { text: (t) => `Do you prefer ${t} in one list or two?`, labels: ["One", "Two"] },
    { text: (t) => `Would you like ${t} in the same colours again?`, labels: ["Yes", "No"] },
  ],
  mixed: [
    { text: (t) => `More questions about ${t}, or should we continue?`, labels: ["More questions", "Next area"] },
    { text: (t) => `Ready to start with ${t} as the next step?`, labels: ["Yes", "Not yet"] },
    { text: (t) => `Does the plan for ${t} look right to you?`, labels: ["Looks good", "Needs changes"] },
    { text: (t) => `Shall I create files for ${t} in the context folder?`, labels: ["Create them", "Show me first"] },
    { text: (t) => `How deep should we go on ${t} in this phase?`, labels: ["Short", "Normal", "Deep"] },
    { text: (t) => `Is the summary of ${t} correct as it stands?`, labels: ["Correct", "Change something"] },
    { text: (t) => `Should the tests for ${t} come first or later?`, labels: ["First", "Later"] },
    { text: (t) => `Commit the work on ${t} before going on?`, labels: ["Commit", "Leave it"] },
    { text: (t) => `Split the part about ${t} into smaller steps?`, labels: ["Split it", "One step"] },
    { text: (t) => `Run the checks for ${t} again with more detail?`, labels: ["Run", "Skip"] },
  ],
};
export type Wording = "plain" | "mixed";
const TOPICS = [
  "search",
  "the list",
  "colours",
  "the layout",
  "sorting",
  "names",
  "errors",
  "the cart",
  "dates",
  "notes",
];

type Random = () => number;
/** `held`: by what, of the questions of workflows. */
type Stream = { asks: Ask[]; templated: number; passing: number; held: string[] };

/** Questions of one person in one project, with what they answered. */
export function createStream(seed: number, wording: Wording): Stream {
  const templates = TEMPLATES[wording];
  const random = seeded(seed);
  const habits = templates.map(({ labels }) => ({
    usual: Math.floor(random() * labels.length),
    equal: random() < STEADY.share ? STEADY.equal : STEADY.otherwise,
  }));
  let [templated, passing] = [0, 0];
  const held: string[] = [];
  const asks = Array.from({ length: LENGTH }, (_, i): Ask => {
    const at = 1_000_000 + i * 600_000;
    const isTemplated = random() < TEMPLATED;
    const which = isTemplated ? weighted(WEIGHTS, random) : -1;
    const [shape, habit] = [templates[which], habits[which]];
    const asked = shape ? question(shape.text(pick(TOPICS, random)), shape.labels) : otherQuestion(i, random);
    const answer = habit ? usualAnswer(asked, habit, random) : anyAnswer(asked, random);
    const holds = gateOf({ questions: [asked] });
    if (isTemplated) {
      templated += 1;
      held.push(...new Set(holds.map(({ why }) => why.replace(/^.*? (?=is about|points|has)/, ""))));
    }
    if (holds.length === 0) passing += 1;
    return askOf({
      id: `${seed}-${i}`,
      questions: [asked],
      origin: { agent: "script", project: "shop", session: `s${Math.floor(i / PER_SESSION)}` },
      createdAt: at,
      outcome: { ...answered(answer), at: at + 60_000 },
    });
  });
  return { asks, templated, passing, held };
}

export type StreamPlan = { needed: number; noticesWrong?: boolean };

/** The stream through the ladder, the gate and the ledger as they are, without a rule. */
export function createPlayer(asks: readonly Ask[]): (plan: StreamPlan) => Promise<Replayed> {
  const byKey = new Map<string, Ask[]>();
  for (const ask of asks) for (const key of keysOf(ask)) byKey.set(key, [ask, ...(byKey.get(key) ?? [])]);
  const known = new Map<string, Omit<Look, "setting">>();

  function climb(ask: Ask): Omit<Look, "setting"> {
    const precedents = [...new Set(keysOf(ask).flatMap((key) => byKey.get(key) ?? []))]
      .filter(({ outcome }) => (outcome?.at ?? 0) <= ask.createdAt)
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .slice(0, 50);
    const subject = subjectOf(ask, { precedents });
    return { subject, documents: [], climbed: runLadder(subject, [], { brains: [], projectRules: false }) };
  }

  return ({ needed, noticesWrong = true }) => {
    const values = AutopilotConfig.parse({ trust: { per_question: needed } });
    const setting = { mode: "on" as const, values, rules: [], trustsProject: false, top: undefined };
    return replay(asks, {
      noticesWrong,
      climb: async (ask) => {
        const found = known.get(ask.id) ?? climb(ask);
        known.set(ask.id, found);
        return { ...found, setting };
      },
    });
  };
}

/** Asked once, of things that only this project knows; and now and then a plain one, which nobody answers alike. */
function otherQuestion(n: number, random: Random): Question {
  if (random() < PLAIN) {
    const [text, ...labels] = pick(PLAIN_QUESTIONS, random);
    return question(text ?? "", labels);
  }
  const [one, other] = [`${pick(NAMES, random)}${n}`, `${pick(NAMES, random)}${n + 1}`];
  const labels = [`${one} (Recommended)`, other, "Something else"];
  return question(`${pick(BEGINNINGS, random)} ${one} and ${other}?`, labels);
}

const PLAIN = 0.1;
const PLAIN_QUESTIONS = [
  ["Which layout?", "Grid", "List"],
  ["Which name is better?", "Short", "Long"],
  ["Shall I show an example?", "Yes", "No"],
  ["Which colour for the title?", "Blue", "Green", "Grey"],
  ["Should the list be sorted?", "Yes", "No"],
];
const BEGINNINGS = ["Which one fits better,", "How should we choose between", "What shall hold the data,", "Who owns"];
const NAMES = ["Zorbex", "Quillo", "Marn", "Tevik", "Opal", "Drift", "Karst", "Lumo"];

function usualAnswer(asked: Question, { usual, equal }: { usual: number; equal: number }, random: Random): Answer {
  if (random() < OWN_WORDS_TEMPLATED) return { picks: [], text: "Let us talk about it first" };
  if (random() < equal) return { picks: [usual] };
  return { picks: [(usual + 1) % asked.options.length] };
}

function anyAnswer({ options, multiSelect }: Question, random: Random): Answer {
  if (options.length === 0 || random() < OWN_WORDS) return { picks: [], text: `in my own words ${random()}` };
  const recommended = options.findIndex(({ label, recommended: flag }) => isRecommended(label, flag));
  if (recommended >= 0 && random() < FOLLOWS) return { picks: [recommended] };
  const picks = [Math.floor(random() * options.length)];
  return multiSelect && random() < 0.5 ? { picks: options.map((_, i) => i) } : { picks };
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}

function weighted(weights: readonly number[], random: Random): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    0,
    weights.findIndex((weight) => (left -= weight) < 0),
  );
}

function seeded(seed: number): Random {
  let state = (seed * 2_654_435_761) % 2_147_483_648;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
