import { describe, expect, test } from "bun:test";
import { askOf, question } from "../../../../test/sample.ts";
import { runLadder } from "../ladder/ladder.ts";
import { subjectOf } from "../category/subject.ts";
import { compileRules, Rule, type SourcedRule } from "../rule/rule.ts";
import { openingRules } from "./opening-rule.ts";

const OPTIONS = ["Yes", "No"];
const asks = (text: string, options = OPTIONS) =>
  askOf({ questions: [question(text, options)], origin: { agent: "pi", project: "shop" } });
/** "Should I delete …": what it names is at stake, and what stands in the middle is different each time. */
const NOTES = asks("Should I delete the second note of the list?");
const RULE = {
  name: "clean",
  match: { template: "Should I delete … the list?", options: OPTIONS, header: "Choice" },
  choose: { label: "Yes" },
};
const climb = (ask: ReturnType<typeof asks>, given: object = RULE, from: SourcedRule["from"] = "user") =>
  runLadder(subjectOf(ask), compileRules([{ ...Rule.parse(given), from }]), {
    brains: ["b"],
    brain: "b",
    projectRules: true,
  }).verdict;

test("[TM1] a rule of the person's that names the template, all options and the stake answers the question with whatever stands in its middle", () => {
  expect(climb(NOTES, { name: "other", match: { category: "confirmation" }, choose: { label: "Yes" } })).toMatchObject({
    next: "human",
    never: true,
  });
  for (const slot of ["the second note of", "the first line of", "the last title of"])
    expect(climb(asks(`Should I delete ${slot} the list?`))).toMatchObject({
      next: "settle",
      settlement: { answers: [{ picks: [0] }] },
    });
});

describe("[TM2] what stands in the middle has to be harmless by itself", () => {
  test.each([
    ["the production database and"],
    ["`rm -rf /` and then"],
    ["everything at https://example.com and"],
    ["/etc/passwd and"],
    ["my password and"],
    ["what we said, not"],
    ["nothing but never"],
    ["the old notes from"],
    ["Frobnicator zyx"],
    ["den alten Eintrag aus"],
    ["a\u200bb and"],
  ])("%j", (slot) => {
    expect(climb(asks(`Should I delete ${slot} the list?`))).toMatchObject({ next: "human", never: true });
  });
});

describe("[TM3] nothing else opens the gate by a template", () => {
  test.each<[string, object, SourcedRule["from"]]>([
    ["a project's file", RULE, "project"],
    ["a brain", { ...RULE, choose: undefined, brain: "b" }, "user"],
    ["a choice that reads the options", { ...RULE, choose: "affirmative" }, "user"],
    ["a pattern for the option", { ...RULE, choose: { pattern: "^yes" } }, "user"],
    ["not all options", { ...RULE, match: { ...RULE.match, options: ["Yes"] } }, "user"],
    ["no options", { ...RULE, match: { template: RULE.match.template } }, "user"],
    [
      "a category beside it alone",
      { name: "c", match: { category: "confirmation", stakes: "money" }, choose: { label: "Yes" } },
      "user",
    ],
  ])("%s", (_what, rule, from) => {
    expect(climb(NOTES, rule, from)).toMatchObject({ next: "human", never: true });
  });

  test("other options than those it names, or another question", () => {
    expect(climb(asks(NOTES.questions[0]?.text ?? "", ["Yes", "No", "Always"]))).toMatchObject({ next: "human" });
    expect(climb(asks("Should I delete the second note of the disk?"))).toMatchObject({ next: "human" });
  });
});

test("[TM6] what is at stake a rule by template has to name as any other", () => {
  const push = asks("Shall I push the second note to main?");
  const rule = (more: object) => ({
    ...RULE,
    match: { template: "Shall I push … to main?", options: OPTIONS, ...more },
  });
  expect(climb(push, rule({}))).toMatchObject({ next: "human", never: true });
  expect(climb(push, rule({ stakes: "publishing" })).next).toBe("settle");
  expect(climb(asks("Shall I push my password to main?"), rule({ stakes: "publishing" })).next).toBe("human");
});

test("[TM4] a template needs its words: one slot, three before and two after", () => {
  for (const template of [
    "… the list?",
    "Should I delete the list?",
    "Should I … the list?",
    "Should I delete … list?",
    "a b c … d … e f",
  ])
    expect(Rule.safeParse({ ...RULE, match: { template } }).success).toBe(false);
  expect(Rule.safeParse({ ...RULE, match: { template: "Should I delete ... the list?" } }).success).toBe(true);
});

test("[TM5] the rule that is shown opens what it says, by text and by template, and names what it risks", () => {
  for (const isTemplate of [false, true]) {
    const { risks, toml, left } = openingRules(NOTES, ["Yes"], { name: "allow-x", isTemplate });
    expect(left).toBeUndefined();
    expect(risks.join("; ")).toContain("delete");
    expect(toml.includes('template = "Should I delete … the list?"')).toBe(isTemplate);
    const [rule] = (Bun.TOML.parse(toml) as { autopilot: { rules: object[] } }).autopilot.rules;
    expect(climb(NOTES, rule)).toMatchObject({ next: "settle" });
    expect(climb(asks("Should I delete the last note of the list?"), rule).next).toBe(isTemplate ? "settle" : "human");
  }
  const secret = asks("Should I delete my password from the list?");
  expect(openingRules(secret, ["Yes"], { name: "allow-x", isTemplate: true }).left).toBeDefined();
});
