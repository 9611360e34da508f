import { phasesWith } from "../../../autopilot/workflows.ts";
import { expect, test } from "bun:test";
import { askOf, question } from "../../../../test/sample.ts";
import type { Ask } from "../../ask/ask.ts";
import { matches } from "./rule-match.ts";
import { compileRules, Rule } from "./rule.ts";
import { subjectOf } from "../category/subject.ts";

const problems = (given: unknown) => Rule.safeParse(given).error?.issues.map(({ message }) => message) ?? [];
const matched = (match: object, ask: Partial<Ask> = {}, acts: object = { choose: "recommended" }) => {
  const rules = compileRules([Rule.parse({ name: "it", match, ...acts })]);
  return rules.map((rule) => matches(rule, subjectOf(askOf(ask), { phases: phasesWith({}) }), 0))[0];
};

const database = {
  ...question("Which database should we use?", ["SQLite (Recommended)", "Postgres"]),
  header: "Database",
};
const asked: Partial<Ask> = {
  questions: [database],
  origin: { agent: "claude-code", project: "shop", command: "/gsd:execute-phase 3" },
};

test("[AL4] a rule does exactly one thing, and every mistake in it is named", () => {
  expect(problems({ name: "nothing" })).toEqual(["expected exactly one of choose, type, chat, brain, act"]);
  expect(problems({ name: "two", choose: "all", type: "x" })).toHaveLength(1);
  expect(problems({ name: "evil", match: { question: "/(?<=a)b/" }, act: "hold" })).toHaveLength(1);
  expect(problems({ name: "odd", match: { color: "red" }, act: "hold" })).toEqual(['Unrecognized key: "color"']);
  expect(problems({ name: "fine", match: { kind: "question", stakes: ["money"] }, choose: { label: "Yes" } })).toEqual(
    [],
  );
});

test("[AL5] a condition is one value or several, a text or a pattern, and reads as a person does", () => {
  const holding: object[] = [
    { header: "database" },
    { header: ["Store", "DATABASE"] },
    { question: "which  DATABASE" },
    { question: "/^which .* use/" },
    { options: ["sqlite", "Postgres"] },
    { options: "/^post/" },
    { project: "shop", agent: "claude-code" },
    { category: "architecture-decision", phase: "execute", kind: "question" },
    {},
  ];
  expect(holding.map((match) => matched(match, asked)?.yes)).toEqual(holding.map(() => true));
});

test("[AL5] every condition must hold, and the first that does not is the reason", () => {
  expect(matched({ header: "Store", question: "database" }, asked)).toEqual({ yes: false, why: "header is database" });
  expect(matched({ phase: "plan" }, asked)?.why).toBe("phase is execute");
  expect(matched({ stakes: "money" }, asked)?.why).toBe("stakes: none");
  expect(matched({ options: ["SQLite", "MySQL"] }, asked)?.why).toBe("an option is missing");
  expect(matched({ header: "Database", phase: "execute" }, asked)?.why).toBe("matches by header, phase");
});

test("[AL6] a rule that answers is about questions, unless it names another kind", () => {
  const gate: Partial<Ask> = { ...asked, kind: "gate" };
  expect(matched({}, gate)).toEqual({ yes: false, why: "kind is gate" });
  expect(matched({ kind: "gate" }, gate)?.yes).toBe(true);
  expect(matched({}, gate, { act: "hold" })?.yes).toBe(true);
});
