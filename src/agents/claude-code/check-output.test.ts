import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { isSafeOutput } from "./check-output.ts";

const questions = [
  { question: "Which?", header: "H", options: [{ label: "A", description: "" }], multiSelect: false },
  { question: "When?", header: "H", options: [{ label: "B", description: "" }], multiSelect: false },
];
const input = { questions, metadata: { source: "x" } };
const answers = { "Which?": "A", "When?": "B" };
const dialog = { hook_event_name: "PermissionRequest", tool_name: "AskUserQuestion", tool_input: input };
const before = { ...dialog, hook_event_name: "PreToolUse" };
const start = { hook_event_name: "SessionStart" };

const decide = (decision: unknown, more: object = {}) => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision, ...more },
});
const allow = (updatedInput: unknown, more: object = {}) => decide({ behavior: "allow", updatedInput, ...more });
const permit = (more: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });
const good = { ...input, answers };

test.each([
  ["an answer", dialog, allow(good)],
  ["an answer with annotations", dialog, allow({ ...good, annotations: { "Which?": { notes: "n" } } })],
  ["a refusal", dialog, decide({ behavior: "deny", message: "no" })],
  ["a refusal that interrupts", dialog, decide({ behavior: "deny", message: "no", interrupt: true })],
  ["a held answer", before, permit({ permissionDecision: "allow", updatedInput: good })],
  ["a held refusal", before, permit({ permissionDecision: "deny", permissionDecisionReason: "no" })],
  ["a context", start, { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "kept" } }],
])("[K17] %s may be printed", (_, payload, output) => {
  expect(isSafeOutput(payload, output)).toBe(true);
});

describe("[K18] never printed:", () => {
  test.each([
    ["nothing", dialog, undefined],
    ["null", dialog, null],
    ["a text", dialog, "allow"],
    ["a list", dialog, [allow(good)]],
    ["an empty object", dialog, {}],
    ["an allow without input", dialog, allow(undefined)],
    ["an input without questions", dialog, allow({ answers })],
    [
      "changed questions",
      dialog,
      allow({ ...good, questions: [{ ...questions[0], question: "Else?" }, questions[1]] }),
    ],
    ["fewer questions", dialog, allow({ ...good, questions: [questions[0]] })],
    ["a lost field of the input", dialog, allow({ questions, answers })],
    ["a changed field of the input", dialog, allow({ ...good, metadata: {} })],
    ["an added field", dialog, allow({ ...good, afkTimeoutMs: 1 })],
    ["no answers", dialog, allow(input)],
    ["answers as a list", dialog, allow({ ...good, answers: ["A", "B"] })],
    ["one answer as a list", dialog, allow({ ...good, answers: { ...answers, "Which?": ["A"] } })],
    ["empty answers", dialog, allow({ ...good, answers: {} })],
    ["an empty answer", dialog, allow({ ...good, answers: { ...answers, "When?": "" } })],
    ["half the answers", dialog, allow({ ...good, answers: { "Which?": "A" } })],
    ["an answer to something else", dialog, allow({ ...good, answers: { ...answers, "Else?": "C" } })],
    ["annotations as a list", dialog, allow({ ...good, annotations: [] })],
    ["a permission beside the answer", dialog, allow(good, { updatedPermissions: [] })],
    ["a context beside the decision", dialog, decide({ behavior: "deny", message: "no" }, { additionalContext: "x" })],
    [
      "a context at a dialog",
      dialog,
      { hookSpecificOutput: { hookEventName: "PermissionRequest", additionalContext: "x" } },
    ],
    ["an order to stop", dialog, { ...allow(good), continue: false }],
    ["the answer for another event", dialog, permit({ permissionDecision: "allow", updatedInput: good })],
    ["another event's answer in this one's form", before, allow(good)],
    ["a refusal without words", dialog, decide({ behavior: "deny" })],
    ["a refusal with empty words", dialog, decide({ behavior: "deny", message: "" })],
    ["a held refusal without words", before, permit({ permissionDecision: "deny" })],
    ["a held allow without input", before, permit({ permissionDecision: "allow" })],
    ["a held ask", before, permit({ permissionDecision: "ask" })],
    ["an empty context", start, { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "" } }],
    ["a turn stopped without words", { hook_event_name: "Stop" }, { decision: "block", reason: "" }],
    ["a turn stopped for good", { hook_event_name: "Stop" }, { decision: "block", reason: "x", continue: false }],
    ["a prompt refused", { hook_event_name: "UserPromptSubmit" }, { decision: "block", reason: "x" }],
    [
      "another result in the place of the agent's",
      { hook_event_name: "PostToolUse" },
      { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "x", updatedMCPToolOutput: "y" } },
    ],
    ["an event that decides nothing", { hook_event_name: "Stop" }, { hookSpecificOutput: { hookEventName: "Stop" } }],
    ["an answer without a payload", undefined, allow(good)],
    ["an answer to a payload without input", { ...dialog, tool_input: undefined }, allow(good)],
    ["an answer to no question", { ...dialog, tool_input: { questions: [] } }, allow({ questions: [], answers: {} })],
    ["an answer to another tool", { ...dialog, tool_name: "Bash" }, allow(good)],
  ])("%s", (_, payload, output) => {
    expect(isSafeOutput(payload, output)).toBe(false);
  });

  test("a name that every object has is no answer", () => {
    const asked = { questions: [{ question: "constructor" }] };
    const output = allow({ ...asked, answers: {} });
    expect(isSafeOutput({ ...dialog, tool_input: asked }, output)).toBe(false);
  });
});

describe("a tool call that somebody has to allow", () => {
  const command = { command: "rm -rf build" };
  const rule = { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "session" };
  const other = { type: "addDirectories", directories: ["/x"], destination: "session" };
  const asked = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: command };
  const bash = { ...asked, permission_suggestions: [rule, other] };
  const plan = { ...asked, tool_name: "ExitPlanMode", tool_input: { plan: "do it" } };
  const setMode = (mode: string, destination = "session") => ({ type: "setMode", mode, destination });

  test.each([
    ["as asked", bash, allow(command)],
    ["with a grant that was suggested", bash, allow(command, { updatedPermissions: [rule] })],
    ["without input, as asked", { ...bash, tool_input: undefined }, allow({})],
    ["a plan", plan, allow(plan.tool_input, { updatedPermissions: [setMode("acceptEdits")] })],
    ["denied", bash, decide({ behavior: "deny", message: "no" })],
  ])("[K28] may be allowed or denied: %s", (_, payload, output) => {
    expect(isSafeOutput(payload, output)).toBe(true);
  });

  test.each([
    ["another input", bash, allow({ command: "rm -rf /" })],
    ["no input", bash, allow(undefined)],
    ["two grants", bash, allow(command, { updatedPermissions: [rule, other] })],
    [
      "a grant nobody suggested",
      bash,
      allow(command, { updatedPermissions: [{ ...rule, destination: "userSettings" }] }),
    ],
    ["a grant that is no list", bash, allow(command, { updatedPermissions: rule })],
    ["a mode without a plan", bash, allow(command, { updatedPermissions: [setMode("acceptEdits")] })],
    [
      "a plan in a mode that asks nothing",
      plan,
      allow(plan.tool_input, { updatedPermissions: [setMode("bypassPermissions")] }),
    ],
    [
      "a plan's mode for ever",
      plan,
      allow(plan.tool_input, { updatedPermissions: [setMode("acceptEdits", "userSettings")] }),
    ],
    [
      "an allow before the dialog",
      { ...bash, hook_event_name: "PreToolUse" },
      permit({ permissionDecision: "allow", updatedInput: command }),
    ],
  ])("[K29] is never allowed with more or other than was asked: %s", (_, payload, output) => {
    expect(isSafeOutput(payload, output)).toBe(false);
  });
});

describe("hostile output", () => {
  const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true });
  const near = fc.record({
    hookSpecificOutput: fc.oneof(
      anything,
      fc.record({
        hookEventName: fc.constantFrom("PermissionRequest", "PreToolUse", "SessionStart"),
        decision: fc.oneof(anything, fc.record({ behavior: fc.constantFrom("allow", "deny"), updatedInput: anything })),
        permissionDecision: fc.constantFrom("allow", "deny", "ask"),
      }),
    ),
  });
  const payload = fc.oneof(
    anything,
    fc.record({ hook_event_name: fc.constantFrom("PermissionRequest", "PreToolUse"), tool_input: anything }),
    fc.record({
      hook_event_name: fc.constant("PermissionRequest"),
      tool_name: fc.constant("AskUserQuestion"),
      tool_input: fc.record({ questions: fc.oneof(anything, fc.array(anything)) }),
    }),
  );

  test("[K19] whatever comes, the check answers and does not throw", () => {
    fc.assert(
      fc.property(payload, fc.oneof(anything, near), (asked, output) => {
        expect(typeof isSafeOutput(asked, output)).toBe("boolean");
      }),
      { numRuns: 3000 },
    );
  });

  test("[K19] an input that cannot be compared is not safe", () => {
    const round: Record<string, unknown> = { question: "Which?" };
    round["self"] = round;
    const asked = { questions: [round] };
    const output = allow({ questions: [round], answers: { "Which?": "A" } });
    expect(isSafeOutput({ ...dialog, tool_input: asked }, output)).toBe(false);
  });
});
