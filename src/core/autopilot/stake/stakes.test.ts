import { expect, test } from "bun:test";
import type { Ask } from "../../ask/ask.ts";
import type { Question } from "../../ask/question.ts";
import { stakesOf } from "./stakes.ts";

const ask = (text: string, options: (string | [string, string])[] = ["Yes", "No"], more: Partial<Ask> = {}) => {
  const shown = options.map((each) => {
    const [label, description] = typeof each === "string" ? [each, ""] : each;
    return { label, description, recommended: false };
  });
  const question: Question = { text, header: "", multiSelect: false, options: shown };
  return stakesOf({ kind: "question", questions: [question], ...more }).map(({ stake }) => stake);
};

test("[AL20] what an answer would destroy, spend, reveal, publish or permit is named with the words that say so", () => {
  expect(ask("Should I delete the old migration files?")).toContain("destructive");
  expect(ask("How should I go on?", ["Keep the branch", "Delete without merging"])).toContain("destructive");
  expect(ask("Run `git reset --hard origin/main`?")).toContain("destructive");
  expect(ask("Reset it?", [["Start fresh", "Removes all existing data"], "Cancel"])).toContain("destructive");
  expect(ask("Go on?", [["Yes", "This cannot be undone"], "No"])).toContain("irreversible");
  expect(ask("Which plan?", [["Pro", "$20 a month"], "Free"])).toContain("money");
  expect(ask("Should I buy the domain?")).toContain("money");
  expect(ask("Please paste your API key", [])).toContain("secrets");
  expect(ask("May I read the .env file and use the production credentials?")).toContain("secrets");
  expect(ask("Is it finished?", ["Publish to npm", "Wait"])).toContain("publishing");
  expect(ask("Merge PR 558?", ["Merge now", "Wait"])).toContain("publishing");
  expect(ask("Should I push to main?")).toContain("publishing");
  expect(ask("Run the migration on production?")).toContain("publishing");
  expect(ask("All tests pass. Shall we deploy now?")).toContain("publishing");
  expect(ask("Ready to ship?")).toContain("publishing");
  expect(ask("Shall I merge it?")).toContain("publishing");
  expect(ask("The branch is stale. Should I delete it?")).toContain("destructive");
  expect(ask("Grant the tool network access?")).toContain("permission");
  expect(ask("Run it with sudo?")).toContain("permission");
  const [found] = stakesOf({
    kind: "question",
    questions: [{ text: "Should I drop the users table?", header: "", multiSelect: false, options: [] }],
  });
  expect(found).toEqual({ stake: "destructive", question: 0, why: '"drop the users"' });
});

test("[AL21] a question about how something shall be built risks nothing", () => {
  const harmless: [string, string[]][] = [
    ["What happens when a user deletes their account?", ["Keep the posts", "Anonymise the posts"]],
    ["Which payment provider?", ["Stripe", "Lemon Squeezy"]],
    ["How should passwords be hashed?", ["argon2", "bcrypt"]],
    ["Where will this be deployed?", ["Vercel", "Fly.io"]],
    ["How should roles and permissions be modelled?", ["RBAC", "ABAC"]],
    ["Which database?", ["Postgres", "SQLite"]],
    ["How should we deploy?", ["Blue-green", "Rolling"]],
    ["Where do we release the lock?", ["In the callback", "After it"]],
    ["Should we merge the two modules?", ["Yes", "No"]],
    ["Release strategy?", ["Trunk based", "Release branches"]],
    ["Ready to create PROJECT.md?", ["Create PROJECT.md", "Keep exploring"]],
  ];
  expect(harmless.map(([text, options]) => ask(text, options))).toEqual(harmless.map(() => []));
});

test("[AL22] invisible characters and odd letters hide no stake, and what is too long is not judged", () => {
  expect(ask("Should I de\u200blete the data\u00adbase?")).toContain("destructive");
  expect(ask("Should I ｄｅｌｅｔｅ the database?")).toContain("destructive");
  expect(ask(`${"Why not? ".repeat(3000)}Should I delete the database?`)).toEqual(["unread"]);
});

test("[AL23] approvals and plans are a matter of permission, and so is an option that allows or changes more", () => {
  expect(ask("Run it?", ["Yes"], { kind: "approval" })).toEqual(["permission"]);
  expect(ask("Go?", ["Yes"], { kind: "plan" })).toEqual(["permission"]);
  const option = { label: "Allow for ever", description: "", recommended: false, stakes: "high" as const };
  const questions: Question[] = [{ text: "May it?", header: "", multiSelect: false, options: [option] }];
  expect(stakesOf({ kind: "question", questions }).map(({ stake }) => stake)).toEqual(["permission"]);
  expect(ask("Token for the server", [], { kind: "elicitation" })).toEqual(["secrets"]);
});

test("[AU67] a stake is found in passive, gerund and noun, in other words for it, in previews and in what led to a yes", () => {
  const destructive = [
    "Should the database be dropped?",
    "Is it ok if the users table is deleted?",
    "Continue by wiping the disk?",
    "Are you OK with me deleting the old volumes?",
    "Do you approve the deletion of all records?",
    "Confirm the prod volume removal?",
    "Which tables should be dropped?",
    "Is dropping the users table fine?",
    "Would you like to have the old database wiped?",
    "Get rid of the old prod volume?",
    "Should I hard reset main to origin?",
    "Should I d\u0435l\u0435t\u0435 the d\u03b1t\u03b1base?",
    "Soll ich die Tabelle l\u00f6schen?",
    "\u00bfQuieres eliminar la base de datos?",
    "\u00bfBorrar todo?",
    "Dois-je supprimer la table ?",
    "\u662f\u5426\u5220\u9664\u6570\u636e\u5e93\uff1f",
  ];
  expect(destructive.filter((text) => !ask(text).includes("destructive"))).toEqual([]);
  for (const text of [
    "Should I make the repo public?",
    "Apply the terraform changes?",
    "Can the package be published?",
  ])
    expect([text, ask(text)]).toEqual([text, ["publishing"]]);
  expect(ask("Should I rotate the signing key?")).toEqual(["secrets"]);
  expect(ask("May the credentials be committed?")).toEqual(["secrets"]);

  const option = { label: "Script", description: "", preview: "psql -c 'DROP TABLE users'", recommended: false };
  const questions: Question[] = [{ text: "Which one?", header: "", multiSelect: false, options: [option] }];
  expect(stakesOf({ kind: "question", questions }).map(({ stake }) => stake)).toEqual(["destructive"]);
  const origin = { agent: "a", lastText: "The old files are removed.\n\nNext I will drop the users table." };
  expect(ask("Go on?", ["Yes", "No"], { origin })).toEqual(["destructive"]);
  expect(ask("Which colour?", ["Red", "Blue"], { origin })).toEqual([]);
  expect(ask("Go on?", ["Yes", "No"], { origin: { ...origin, lastText: "The old files are removed." } })).toEqual([]);
});

test("[AU67] how something shall be deleted, or that it was, risks nothing", () => {
  const harmless = [
    "How should old records be deleted?",
    "When should the logs be cleared?",
    "The table was dropped by somebody. Should I look for a copy?",
    "Should we support deleting accounts?",
    "Should the method be public?",
    "Which Greek letter, \u03b1 or \u03b2?",
    "Is the caf\u00e9 page na\u00efve?",
  ];
  expect(harmless.map((text) => [text, ask(text)])).toEqual(harmless.map((text) => [text, []]));
});
