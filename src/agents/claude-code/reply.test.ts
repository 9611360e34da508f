import { describe, expect, test } from "bun:test";
import { payloadsOf, recording } from "../../../test/recorded.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Actor, Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { handOver } from "../kept-answers.ts";
import { reply } from "./reply.ts";

type Option = Question["options"][number];
const PERSON: Actor = { type: "person", surface: "cli" };
const option = (label: string, preview?: string): Option => ({
  label,
  description: "d",
  recommended: false,
  ...(preview !== undefined && { preview }),
});
const question = (text: string, options: Option[], multiSelect = false): Question => ({
  text,
  header: "H",
  multiSelect,
  options,
});
const approach = question("Which?", [option("Option A"), option("Option B")]);
const pairs = question(
  "Which pairs?",
  [option('Say "hi"'), option("A, B"), option("A,B"), option("back\\slash")],
  true,
);
const layout = question("Which layout?", [option("Grid", "+--+"), option("List", "- a")]);
const layouts = { ...layout, text: "Which layouts?", multiSelect: true };

const askOf = (questions: Question[], more: Partial<Ask> = {}): Ask => ({
  id: "abc123",
  version: 1,
  kind: "question",
  state: "open",
  questions,
  origin: { agent: "claude-code" },
  deliveries: [{ key: "toolu_1", state: "waiting" }],
  createdAt: 0,
  updatedAt: 0,
  ...more,
});
const outcomeOf = (type: Outcome["type"], more: Partial<Outcome> = {}): Outcome => ({
  type,
  actor: PERSON,
  at: 1,
  ...more,
});

function sent(questions: Question[], answers: Answer[], version: string | undefined, actor = PERSON) {
  const payload = { hook_event_name: "PermissionRequest", session_id: "s", tool_input: { questions: "as asked" } };
  const output = reply(payload, askOf(questions), outcomeOf("answered", { answers, actor }), version) as {
    hookSpecificOutput: { decision: { updatedInput: { answers: unknown; annotations: unknown } } };
  };
  const { answers: said, annotations } = output.hookSpecificOutput.decision.updatedInput;
  return { answers: said, annotations };
}

describe("answers", () => {
  test.each([
    ["2.1.197", 'Say "hi", A, B, A,B, back\\slash, x,y'],
    ["2.1.325", '"Say \\"hi\\"", "A, B", A,B, back\\slash, x,y'],
    ["2.1.325-beta.1", '"Say \\"hi\\"", "A, B", A,B, back\\slash, x,y'],
    ["3.0.0", '"Say \\"hi\\"", "A, B", A,B, back\\slash, x,y'],
    ["1.9.400", 'Say "hi", A, B, A,B, back\\slash, x,y'],
    [undefined, '"Say \\"hi\\"", "A, B", A,B, back\\slash, x,y'],
  ])("[K11] several elements are joined as version %s joins them", (version, joined) => {
    const answer = { picks: [0, 1, 2, 3], text: "x,y" };
    expect(sent([pairs], [answer], version).answers).toEqual({ "Which pairs?": joined });
  });

  test("[K11] a single choice and a single text are never quoted", () => {
    const lone = question("Which?", [option("A, B")]);
    expect(sent([lone], [{ picks: [0] }], "2.1.325").answers).toEqual({ "Which?": "A, B" });
    expect(sent([lone], [{ picks: [], text: 'x, "y"' }], "2.1.325").answers).toEqual({ "Which?": 'x, "y"' });
  });

  test("[K12] the preview of the chosen option goes along where the version's dialog sends it", () => {
    const preview = { "Which layout?": { preview: "- a" } };
    expect(sent([layout], [{ picks: [1] }], "2.1.325").annotations).toEqual(preview);
    expect(sent([layout], [{ picks: [1] }], "2.1.197").annotations).toEqual(preview);
    expect(sent([layouts], [{ picks: [1] }], "2.1.325").annotations).toEqual({});
    expect(sent([layouts], [{ picks: [1] }], "2.1.197").annotations).toEqual({ "Which layouts?": { preview: "- a" } });
    expect(sent([layouts], [{ picks: [0, 1] }], "2.1.197").annotations).toEqual({});
    expect(sent([layout], [{ picks: [], text: "neither" }], "2.1.325").annotations).toEqual({});
  });

  test("[K13] a note stays apart from the answer, and tells when no person answered", () => {
    const noted = sent([approach, layout], [{ picks: [1], note: "small" }, { picks: [0] }], "2.1.325");
    expect(noted.answers).toEqual({ "Which?": "Option B", "Which layout?": "Grid" });
    expect(noted.annotations).toEqual({ "Which?": { notes: "small" }, "Which layout?": { preview: "+--+" } });
    expect(sent([approach], [{ picks: [1] }], "2.1.325", { type: "rule", surface: "policy", name: "night" })).toEqual({
      answers: { "Which?": "Option B" },
      annotations: { "Which?": { notes: "answered by a rule (night), not by a person" } },
    });
  });

  test("[K14] the whole input goes back, with fields nobody knows", () => {
    const input = { questions: [{ question: "Which?", extra: 1 }], metadata: { source: "remember" } };
    const payload = { hook_event_name: "PreToolUse", session_id: "s", tool_input: input };
    expect(reply(payload, askOf([approach]), outcomeOf("answered", { answers: [{ picks: [1] }] }), "2.1.325")).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { ...input, answers: { "Which?": "Option B" }, annotations: {} },
      },
    });
  });
});

describe("refusals", () => {
  const [dialog] = payloadsOf(recording("2.1.325", "escape"), "PermissionRequest");
  const [before] = payloadsOf(recording("2.1.325", "escape"), "PreToolUse");

  test.each([
    [outcomeOf("declined"), { message: "The user declined to answer this question." }],
    [outcomeOf("declined", { message: "no" }), { message: "The user declined to answer this question: no" }],
    [outcomeOf("chat", { message: "why?" }), { message: "The user wants to talk about this before answering: why?" }],
    [
      outcomeOf("cancelled"),
      { message: "The user cancelled this question; stop here and wait for them.", interrupt: true },
    ],
    // With an interrupt the message would be lost: the agent's record then holds Esc's own words.
    [
      outcomeOf("cancelled", { message: "wrong repo" }),
      { message: "The user cancelled this question; stop here and wait for them: wrong repo" },
    ],
  ])("[K15] a refusal is a denial with words: %j", (outcome, said) => {
    expect(reply(dialog, askOf([approach]), outcome, "2.1.325")).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", ...said } },
    });
    expect(reply(before, askOf([approach]), outcome, "2.1.325")).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: said.message,
      },
    });
  });
});

test("[K16] a session that came back is told each kept outcome, marked with the id of its Ask", () => {
  const answered = askOf([approach, layout], {
    outcome: outcomeOf("answered", {
      answers: [
        { picks: [1], note: "small" },
        { picks: [], text: "none" },
      ],
    }),
  });
  const declined = askOf([{ ...approach, header: " " }], { id: "def456", outcome: outcomeOf("declined") });
  expect(handOver([answered, declined, askOf([approach], { id: "open" })])).toEqual({
    hookSpecificOutput: {
      hookEventName: "SessionStart",
      additionalContext: [
        "Parley kept what was answered to questions you asked before this session was interrupted; your record does not show it:",
        "- [parley abc123] [H] Which? / [H] Which layout? → answered: Option B (note: small); none",
        "- [parley def456] [Question] Which? → The user declined to answer this question.",
      ].join("\n"),
    },
  });
});
