import { phasesWith } from "../../../autopilot/workflows.ts";
import { expect, test } from "bun:test";
import { answered, askOf, question } from "../../../../test/sample.ts";
import type { Question } from "../../ask/question.ts";
import { caseOf, type Proposal, propose } from "./propose.ts";
import { subjectOf, type Surroundings } from "../category/subject.ts";

const proposed = (asked: Question, given: Surroundings = {}, command?: string): Proposal => {
  const ask = askOf({ questions: [asked], origin: { agent: "claude-code", ...(command && { command }) } });
  const found = caseOf(subjectOf(ask, { phases: phasesWith({}), ...given }), 0);
  return found ? propose(found) : { why: "there is no case" };
};
const notes = (...lines: string[]) => [{ name: "CONTEXT.md", text: lines.join("\n") }];

test("[AL14] a confirmation gets its one affirmative option", () => {
  expect(proposed(question("Ready to go on?", ["Not yet", "Continue"]))).toEqual({
    answer: { picks: [1] },
    why: '"Continue" is the affirmative option',
  });
  expect(proposed(question("Map the codebase first?", ["Map codebase first", "Skip mapping"])).answer).toEqual({
    picks: [0],
  });
});

test("[AL14] no yes is given against a recommendation, or while work is verified", () => {
  expect(proposed(question("Auto-advance?", ["No (Recommended)", "Yes"]))).toEqual({
    why: '"No (Recommended)" is recommended instead of the yes',
  });
  const works = question("Does the login work?", ["Yes, pass", "No, fail"]);
  expect(proposed(works, {}, "/gsd:verify-work")).toEqual({
    why: "a yes while verifying would claim what nobody looked at",
  });
  expect(proposed(works, {}, "/gsd:execute-phase").answer).toEqual({ picks: [0] });
});

test("[AL15] a matter of style follows what the documents say", () => {
  const naming = question("Which naming convention?", ["camelCase", "snake_case"]);
  expect(proposed(naming, { documents: notes("# Style", "- all files use snake_case names") })).toEqual({
    answer: { picks: [1] },
    why: '"snake_case" is the convention: CONTEXT.md says "all files use snake_case names"',
  });
  expect(proposed(naming)).toEqual({ why: "no convention is known" });
});

test("[AL15] what the documents say against an option, or for several, decides nothing", () => {
  const store = question("Which database should we use?", ["SQLite", "Postgres"]);
  expect(proposed(store, { documents: notes("The data lives in Postgres.") }).answer).toEqual({ picks: [1] });
  for (const lines of [
    ["We do not use Postgres"],
    ["Postgres or SQLite, to be decided"],
    ["SQLite for tests", "Postgres for the rest"],
  ])
    expect(proposed(store, { documents: notes(...lines) })).toEqual({
      why: "the documents do not speak for exactly one option",
    });
});

test("[AL16] a scope takes everything that is a thing of its own", () => {
  const areas = question("Which areas?", ["Layout", "Loading", "All of the above", "None for v1", "You decide"], true);
  expect(proposed(areas)).toEqual({ answer: { picks: [0, 1] }, why: "all 2 options are relevant" });
  expect(proposed(question("Which areas?", ["Review process", "More tests", "Skip"], true)).answer).toEqual({
    picks: [0, 1],
  });
  expect(proposed(question("What should v1 cover?", ["Only login", "Everything"])).answer).toEqual({ picks: [1] });
});

test("[AL16] a note says what the documents ask for beyond the options", () => {
  const features = question("Which features are in v1?", ["Login", "Search"], true);
  const documents = notes(
    "## v1",
    "- [ ] Login with e-mail",
    "- [ ] Search in posts",
    "- [ ] Export to PDF",
    "",
    "- Unrelated",
  );
  expect(proposed(features, { documents }).answer).toEqual({
    picks: [0, 1],
    note: "The documents also ask for: Export to PDF",
  });
});

test("[AL17] where the choice may be handed back, what speaks for an option decides, and nothing is handed back", () => {
  const naming = question("Naming of the files?", ["snake_case", "kebab-case", "You decide"]);
  expect(proposed(naming)).toEqual({ why: "nothing speaks for an option" });
  expect(proposed(naming, { documents: notes("Files are named in kebab-case.") }).answer).toEqual({ picks: [1] });
  const earlier = askOf({ questions: [naming], outcome: answered({ picks: [0] }) });
  expect(proposed(naming, { precedents: [earlier] }).answer).toEqual({ picks: [0] });
  const advised = question("Naming of the files?", ["snake_case (Recommended)", "kebab-case", "You decide"]);
  expect(proposed(advised).answer).toEqual({ picks: [0] });
  const torn = proposed(advised, { documents: notes("Files are named in kebab-case.") });
  expect(torn.answer).toBeUndefined();
  expect(torn.why).toStartWith("they disagree: ");
});

test("[AL18] what needs thinking gets no answer without it, least of all the first option", () => {
  expect(proposed(question("Which one?", ["A", "B"]))).toEqual({ why: "it needs a reasoned answer" });
  expect(proposed(question("What would you like to do next?", ["Fix it", "Something else"]))).toEqual({
    why: "what is wanted has to be typed",
  });
  expect(proposed(question("What do you want to build?", []))).toEqual({ why: "what is wanted has to be typed" });
});
