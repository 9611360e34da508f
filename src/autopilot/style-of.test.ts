import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRepository } from "../../test/git-repository.ts";
import { askOf, question } from "../../test/sample.ts";
import { PATIENCE_MS } from "../lab/poll.ts";
import { subjectOf } from "../core/autopilot/category/subject.ts";
import { runLadder } from "../core/autopilot/ladder/ladder.ts";
import { compileRules, Rule } from "../core/autopilot/rule/rule.ts";
import { styleOf } from "./style-of.ts";

const root = mkdtempSync(join(tmpdir(), "parley-style-"));
afterAll(() => rmSync(root, { recursive: true }));
const shop = join(root, "shop");
createRepository(shop, {
  "src/cart.ts": "const cartTotal = addItems(firstItem);\n".repeat(20),
  "src/old.py": "item_count = 1\n",
});
// Not tracked, or not a file of the project: neither counts.
writeFileSync(join(shop, "draft.ts"), "const some_name = 1;\n".repeat(500));
writeFileSync(join(root, "elsewhere.ts"), "const some_name = 1;\n".repeat(500));
symlinkSync(join(root, "elsewhere.ts"), join(shop, "linked.ts"));

const climbed = async (text: string, labels: string[], cwd = shop) => {
  const read = subjectOf(askOf({ questions: [question(text, labels)], origin: { agent: "a", cwd } }));
  const subject = { ...read, followed: await styleOf(read, PATIENCE_MS) };
  const rules = compileRules([
    Rule.parse({ name: "any", match: { category: "style-preference" }, choose: "category" }),
  ]);
  return runLadder(subject, rules, { brains: [], projectRules: false });
};

test("[GA11] for a question about style the tracked code is counted; that is proposed to a person and answers nothing alone", async () => {
  const { verdict, suggestion, steps } = await climbed("Which naming convention?", ["snake_case", "camelCase"]);
  expect(verdict.next).toBe("human");
  expect(suggestion).toMatchObject({ settlement: { answers: [{ picks: [1] }] }, why: "camelCase 60 : snake_case 1" });
  expect(steps).toContainEqual({ step: "code", result: "suggested", why: "camelCase 60 : snake_case 1" });
});

test("[GA11] what is no repository, or no question about style, is not counted", async () => {
  expect((await climbed("Which naming convention?", ["snake_case", "camelCase"], root)).suggestion).toBeUndefined();
  const other = await climbed("Which database?", ["SQLite", "Postgres"]);
  expect(other.steps.map(({ step }) => step)).not.toContain("code");
});
