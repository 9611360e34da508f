import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { database, features } from "../../../../test/sample.ts";
import type { Settlement } from "../../ask/settle.ts";
import { onlySuggested } from "./check-verdict.ts";
import { reversedAsk, turnedBack } from "./reversed.ts";
import { FACTS, readScreening, readSources } from "./verdict.ts";

const ROADMAP = { name: "ROADMAP.md", text: "# Phase 2\nWe move to Postgres\nbefore the beta." };
const EARLIER = { id: "abc123", asked: "Which database?", answered: "Postgres" };
const EVIDENCE = { documents: [ROADMAP], precedents: [EARLIER] };
const harmless = (option: number, more: object = {}) => ({
  question: 0,
  option,
  reversible: true,
  outside: false,
  spends: false,
  reveals: false,
  widens: false,
  destroys: false,
  quote: "Which database?",
  ...more,
});
const SCREENED = { needsPerson: false, options: [harmless(0), harmless(1)], reason: "only a choice" };
const ANSWERED = {
  decidedBy: [{ document: "ROADMAP.md", quote: "We move to Postgres" }] as unknown,
  confidence: 0.9 as number | undefined,
  settlement: { action: "answer", answers: [{ picks: [1] }] } as Settlement,
};

function judge(screened: unknown, answered: Partial<typeof ANSWERED> = {}, threshold = 0.8): string | undefined {
  const { decidedBy, confidence, settlement } = { ...ANSWERED, ...answered };
  const sources = readSources(decidedBy, 1);
  const screening = readScreening(screened, 1);
  const said = { settlement, screening, sources, ...(confidence !== undefined && { confidence }) };
  return onlySuggested([database], said, EVIDENCE, threshold);
}
const without = (name: string, from: object) =>
  Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
const picking = (facts: object) => ({ ...SCREENED, options: [harmless(0), facts] });

test("[BV3] a whole verdict, by a document or an earlier answer, speaks against nothing", () => {
  expect(judge(SCREENED)).toBeUndefined();
  expect(judge(SCREENED, { decidedBy: { precedent: "abc123", quote: "Postgres" } })).toBeUndefined();
  expect(
    judge(SCREENED, { decidedBy: [{ document: "ROADMAP.md", quote: "Postgres before\n the beta." }] }),
  ).toBeUndefined();
  expect(judge(SCREENED, { confidence: 0.8 })).toBeUndefined();
});

const NOT_SAID = "it did not say whether this needs a person";
const JUDGEMENT = "it rests on its own judgement";
const quoting = (document: unknown, quote: unknown) => ({ decidedBy: [{ document, quote }] });

test.each<[string, unknown, Partial<typeof ANSWERED>, string]>([
  ["no verdict at all", undefined, {}, NOT_SAID],
  ["a list for it", [], {}, NOT_SAID],
  ["needsPerson missing", without("needsPerson", SCREENED), {}, NOT_SAID],
  ["needsPerson as a word", { ...SCREENED, needsPerson: "false" }, {}, NOT_SAID],
  ["needsPerson null", { ...SCREENED, needsPerson: null }, {}, NOT_SAID],
  ["needsPerson 0", { ...SCREENED, needsPerson: 0 }, {}, NOT_SAID],
  ["a person is needed", { ...SCREENED, needsPerson: true }, {}, "it says that this needs a person"],
  ["no options", without("options", SCREENED), {}, 'it did not say all of what "SQLite" would do'],
  ["one option left out", { ...SCREENED, options: [harmless(1)] }, {}, 'it did not say all of what "SQLite" would do'],
  [
    "the option of another question",
    picking(harmless(1, { question: 1 })),
    {},
    'it did not say all of what "Postgres" would do',
  ],
  [
    "an option that is none",
    picking(harmless(1, { option: "1" })),
    {},
    'it did not say all of what "Postgres" would do',
  ],
  ...FACTS.flatMap((fact): [string, unknown, object, string][] => [
    [`${fact} missing`, picking(without(fact, harmless(1))), {}, 'it did not say all of what "Postgres" would do'],
    [
      `${fact} unknown`,
      picking(harmless(1, { [fact]: "unknown" })),
      {},
      'it did not say all of what "Postgres" would do',
    ],
  ]),
  ["not reversible", picking(harmless(1, { reversible: false })), {}, '"Postgres" could not be undone, it says'],
  ["outside", picking(harmless(1, { outside: true })), {}, '"Postgres" acts outside the work tree, it says'],
  ["spends", picking(harmless(1, { spends: true })), {}, '"Postgres" spends something, it says'],
  ["reveals", picking(harmless(1, { reveals: true })), {}, '"Postgres" reveals something, it says'],
  ["widens", picking(harmless(1, { widens: true })), {}, '"Postgres" widens what the agent may do, it says'],
  ["destroys", picking(harmless(1, { destroys: true })), {}, '"Postgres" destroys something, it says'],
  [
    "said twice, once otherwise",
    { ...SCREENED, options: [harmless(0), harmless(1), harmless(1, { destroys: true })] },
    {},
    '"Postgres" destroys something, it says',
  ],
  [
    "no quote of the option",
    picking(without("quote", harmless(1))),
    {},
    'what it quotes about "Postgres" is not there',
  ],
  ["an empty quote", picking(harmless(1, { quote: "  " })), {}, 'what it quotes about "Postgres" is not there'],
  [
    "a quote that is not there",
    picking(harmless(1, { quote: "It is safe" })),
    {},
    'what it quotes about "Postgres" is not there',
  ],
  [
    "a quote of another option",
    picking(harmless(1, { quote: "SQLite" })),
    {},
    'what it quotes about "Postgres" is not there',
  ],
  ["nothing it is decided by", SCREENED, { decidedBy: undefined }, JUDGEMENT],
  ["judgement", SCREENED, { decidedBy: ["judgement"] }, JUDGEMENT],
  ["an unknown source", SCREENED, { decidedBy: [{ web: "x", quote: "We move to Postgres" }] }, JUDGEMENT],
  ["a document without a quote", SCREENED, { decidedBy: [{ document: "ROADMAP.md" }] }, JUDGEMENT],
  [
    "two sources in one",
    SCREENED,
    { decidedBy: [{ document: "ROADMAP.md", precedent: "abc123", quote: "Postgres" }] },
    JUDGEMENT,
  ],
  [
    "a quote that is not in the document",
    SCREENED,
    quoting("ROADMAP.md", "We move to SQLite now"),
    "what it quotes is not in ROADMAP.md",
  ],
  [
    "a quote nearly in it",
    SCREENED,
    quoting("ROADMAP.md", "we move to postgres"),
    "what it quotes is not in ROADMAP.md",
  ],
  [
    "a document nobody gave it",
    SCREENED,
    quoting("STATE.md", "We move to Postgres"),
    "what it quotes is not in STATE.md",
  ],
  ["two letters of a document", SCREENED, quoting("ROADMAP.md", "We"), "what it quotes of the document is too short"],
  [
    "a precedent there is none of",
    SCREENED,
    { decidedBy: [{ precedent: "zzz", quote: "Postgres" }] },
    "what it quotes is not in that earlier answer",
  ],
  [
    "the question of a precedent",
    SCREENED,
    { decidedBy: [{ precedent: "abc123", quote: "Which database?" }] },
    "what it quotes is not in that earlier answer",
  ],
  ["no confidence", SCREENED, { confidence: undefined }, "it did not say how sure it is"],
  ["too little of it", SCREENED, { confidence: 0.79 }, "it is 79 % sure, and 80 % are needed"],
  [
    "own words",
    SCREENED,
    { settlement: { action: "answer", answers: [{ picks: [], text: "MySQL" }] } },
    "what a brain writes itself is only suggested",
  ],
  [
    "own words beside an option",
    SCREENED,
    { settlement: { action: "answer", answers: [{ picks: [1], note: "soon" }] } },
    "what a brain writes itself is only suggested",
  ],
  [
    "chat",
    SCREENED,
    { settlement: { action: "chat", message: "Why?" } },
    "what a brain writes itself is only suggested",
  ],
  [
    "an option that is not offered",
    SCREENED,
    { settlement: { action: "answer", answers: [{ picks: [7] }] } },
    "it does not answer the question",
  ],
  ["no option", SCREENED, { settlement: { action: "answer", answers: [] } }, "it does not answer the question"],
])("[BV4] %s: only suggested", (_what, screened, answered, why) => {
  expect(judge(screened, answered)).toBe(why);
});

test("[BV5] whatever is taken out of a verdict, or put in its place, never lets an answer go further", () => {
  const path = fc.constantFrom(
    ["needsPerson"],
    ["options"],
    ...FACTS.map((fact) => ["options", "1", fact]),
    ["options", "1", "quote"],
    ["options", "1", "option"],
    ["decidedBy"],
    ["decidedBy", "0", "quote"],
    ["decidedBy", "0", "document"],
    ["confidence"],
  );
  const junk = fc.oneof(fc.constant(undefined), fc.anything(), fc.constantFrom("true", "false", 1, null, {}, []));
  fc.assert(
    fc.property(path, junk, (at, value) => {
      const said = structuredClone({ ...SCREENED, ...ANSWERED }) as Record<string, unknown>;
      let target = said;
      for (const part of at.slice(0, -1)) target = target[part] as Record<string, unknown>;
      const last = at.at(-1) ?? "";
      if (Object.is(target[last], value)) return;
      target[last] = value;
      const { confidence, decidedBy } = said;
      const read = typeof confidence === "number" && confidence >= 0 && confidence <= 1 ? confidence : undefined;
      const isStillWhole = last === "confidence" && (read ?? 0) >= 0.8;
      expect(judge(said, { decidedBy, confidence: read }) === undefined).toBe(isStillWhole);
    }),
    { numRuns: 2000 },
  );
});

test("[BV6] two questions need both: facts, and a source for each", () => {
  const questions = [database, features];
  const facts = (question: number, options: number) =>
    Array.from({ length: options }, (_, option) =>
      harmless(option, { question, quote: question === 0 ? "Which database?" : "Which features?" }),
    );
  const said = (options: object[], decidedBy: unknown) =>
    onlySuggested(
      questions,
      {
        settlement: { action: "answer", answers: [{ picks: [1] }, { picks: [0, 2] }] },
        screening: readScreening({ needsPerson: false, options }, 2),
        sources: readSources(decidedBy, 2),
        confidence: 1,
      },
      EVIDENCE,
      0.8,
    );
  const source = { document: "ROADMAP.md", quote: "We move to Postgres" };
  const all = [...facts(0, 2), ...facts(1, 3)];
  expect(said(all, [source, source])).toBeUndefined();
  expect(said(all, [source])).toBe(JUDGEMENT);
  expect(said(all, source)).toBe(JUDGEMENT);
  expect(said(facts(0, 2), [source, source])).toContain("it did not say all of what");
  expect(
    said(
      all.map((each) => without("question", each)),
      [source, source],
    ),
  ).toContain("it did not say all of what");
});

test("[BV7] the second brain sees the options the other way round, and its answer is turned back", () => {
  const asked = { questions: [database, features] };
  const turned = reversedAsk(asked);
  expect(turned.questions.map(({ options }) => options[0]?.label)).toEqual(["Postgres", "Export"]);
  expect(turnedBack(asked, [{ picks: [0] }, { picks: [0, 2] }])).toEqual([{ picks: [1] }, { picks: [0, 2] }]);
});
