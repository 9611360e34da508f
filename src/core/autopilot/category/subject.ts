import type { Ask } from "../../ask/ask.ts";
import { classify } from "./category.ts";
import type { Category } from "./category-name.ts";
import { type GateHold, gateOf } from "../gate/gate.ts";
import { plain, plainLabel } from "../plain.ts";
import { type Phase, phaseOf, type Phases } from "../rule/phase.ts";
import type { FoundStake } from "../stake/stake.ts";
import { stakesOf } from "../stake/stakes.ts";

export type ProjectDocument = { name: string; text: string };

/** One question of a Subject; text, header and labels are plain. */
export type SubjectQuestion = {
  category: Category;
  why: string;
  stakes: FoundStake["stake"][];
  text: string;
  header: string;
  labels: string[];
};

/** An Ask with everything the ladder looks at. */
export type Subject = {
  ask: Ask;
  project: string;
  phase: Phase | undefined;
  questions: SubjectQuestion[];
  stakes: FoundStake[];
  /** Why it is not plainly harmless. */
  gate: GateHold[];
  /** What a person answered to the same question before. */
  precedents: readonly Ask[];
  documents: readonly ProjectDocument[];
  /** How often the code follows each option of a question about style; of others undefined. */
  followed: readonly (readonly (number | undefined)[] | undefined)[];
};

export type Surroundings = {
  project?: string;
  precedents?: readonly Ask[];
  documents?: readonly ProjectDocument[];
  phases?: Phases;
};

export function subjectOf(ask: Ask, { project, precedents = [], documents = [], phases }: Surroundings = {}): Subject {
  const stakes = stakesOf(ask);
  const command = ask.origin["command"];
  return {
    ask,
    project: plain(project ?? ask.origin.project ?? ""),
    phase: phaseOf(typeof command === "string" ? command : undefined, phases),
    questions: ask.questions.map((question, index) => ({
      ...classify(question),
      stakes: stakes.filter((each) => each.question === index).map(({ stake }) => stake),
      text: plain(question.text),
      header: plain(question.header),
      labels: question.options.map(({ label }) => plainLabel(label)),
    })),
    stakes,
    gate: gateOf(ask),
    precedents,
    documents,
    followed: [],
  };
}
