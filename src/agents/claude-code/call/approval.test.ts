import { describe, expect, test } from "bun:test";
import { askOf, PERSON } from "../../../../test/sample.ts";
import type { Outcome } from "../../../core/ask/outcome.ts";
import type { Option } from "../../../core/ask/question.ts";
import { approvalChoices } from "./approval.ts";
import { isSafeOutput } from "../check-output.ts";
import { reply } from "../reply.ts";
import { describeTool } from "./tool-detail.ts";
import { matchOf } from "./match.ts";
import { choicesFor, toolQuestion } from "./tool-call.ts";

const payload = (suggestions?: unknown, tool_input: Record<string, unknown> = {}) => ({
  hook_event_name: "PermissionRequest",
  session_id: "s",
  tool_input,
  ...(suggestions !== undefined && { permission_suggestions: suggestions }),
});
const labels = (suggestions?: unknown) => approvalChoices(payload(suggestions)).map(({ option }) => option.label);

describe("choices", () => {
  test.each([[undefined], [null], ["x"], [{}], [[]], [[null]], [[{ no: "type" }]], [[{ type: 7 }]]])(
    "[AP40] with the suggestions %j there is once, deny and cancel",
    (suggestions) => {
      expect(labels(suggestions)).toEqual(["Approve", "Deny", "Deny and stop"]);
    },
  );

  test("[AP41] a suggestion that is not understood hides no other, and goes back letter for letter", () => {
    const raw = { type: "addRules", rules: [{ toolName: "Bash", extra: 1 }], behavior: "allow", later: { x: [1] } };
    const choices = approvalChoices(payload([7, raw, { type: "setMode" }, { type: "somethingNew", a: 1 }]));
    expect(choices.map(({ option }) => option.label)).toEqual([
      "Approve",
      "Always allow Bash",
      "Switch to mode another",
      "Approve with somethingNew",
      "Deny",
      "Deny and stop",
    ]);
    expect(choices[1]?.grants).toEqual([raw]);
    expect(choices.map(({ grants }) => grants?.length)).toEqual([undefined, 1, 1, 1, undefined, undefined]);
  });

  test("[AP42] a change of the permission mode is of high stakes, nothing else is", () => {
    const suggestions = ["acceptEdits", "bypassPermissions", "default"].map((mode) => ({ type: "setMode", mode }));
    const choices = approvalChoices(payload([...suggestions, { type: "addDirectories", directories: ["/x"] }]));
    expect(choices.map(({ option }) => option.stakes)).toEqual([
      undefined,
      "high",
      "high",
      "high",
      undefined,
      undefined,
      undefined,
    ]);
    expect(choices[2]?.option.description).toBe("Approve, and allow everything without asking");
  });

  test("[AP43] a pick is an index: the same payload gives the same choices as were shown", () => {
    const sent = payload([{ type: "setMode", mode: "plan", destination: "session" }], { command: "ls" });
    expect(toolQuestion("Bash", sent).questions[0]?.options).toEqual(
      choicesFor("Bash", sent, false).map(({ option }) => option),
    );
  });
});

describe("auto mode", () => {
  const bash = (more: object = {}) => ({
    ...payload([], { command: "ls" }),
    tool_name: "Bash",
    permission_mode: "default",
    ...more,
  });
  const offered = (tool: string, sent: ReturnType<typeof bash>, modes: string[]) =>
    toolQuestion(tool, sent, modes).questions[0]?.options.map(({ label }) => label) ?? [];

  test("[WS2] is offered for commands and plans, only in a session that has been in it", () => {
    expect(offered("Bash", bash(), ["default", "auto"])).toEqual([
      "Approve",
      "Switch to mode auto",
      "Deny",
      "Deny and stop",
    ]);
    expect(offered("Bash", bash(), ["default"])).toEqual(["Approve", "Deny", "Deny and stop"]);
    expect(offered("Bash", bash({ permission_mode: "plan" }), ["auto"])).toEqual(["Approve", "Deny", "Deny and stop"]);
    expect(offered("Write", bash({ tool_name: "Write" }), ["auto"])).toEqual(["Approve", "Deny", "Deny and stop"]);
    const planned = { ...bash({ tool_name: "ExitPlanMode" }), tool_input: { plan: "1. Test" } };
    expect(offered("ExitPlanMode", planned, ["auto"])).toContain("Approve, and use auto mode");
    expect(offered("ExitPlanMode", planned, [])).not.toContain("Approve, and use auto mode");
    expect(offered("ExitPlanMode", { ...planned, tool_input: {} }, ["auto"])).not.toContain(
      "Approve, and use auto mode",
    );
  });

  test("[WS3] is granted where it was picked, and a note with an approved plan stands below the plan", () => {
    const input = { plan: "1. Test", planFilePath: "/p.md" };
    const sent = { ...bash({ tool_name: "ExitPlanMode" }), tool_input: input };
    const { questions } = toolQuestion("ExitPlanMode", sent, ["auto"]);
    const pick = questions[0]?.options.findIndex(({ target }) => target === "auto") ?? -1;
    const outcome: Outcome = {
      type: "answered",
      actor: PERSON,
      at: 1,
      answers: [{ picks: [pick], note: "keep it small" }],
    };
    const printed = reply(sent, askOf({ kind: "plan", questions }), outcome, "2.1.325");
    const decision = {
      behavior: "allow",
      updatedInput: { ...input, plan: "1. Test\n\nNote from the user: keep it small" },
      updatedPermissions: [{ type: "setMode", mode: "auto", destination: "session" }],
    };
    expect(printed).toEqual({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
    expect(isSafeOutput(sent, printed)).toBe(true);
    const withInput = (updatedInput: object) => ({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { ...decision, updatedInput } },
    });
    expect(isSafeOutput(sent, withInput({ ...input, plan: "1. Deploy" }))).toBe(false);
    expect(isSafeOutput(sent, withInput({ ...decision.updatedInput, planFilePath: "/other.md" }))).toBe(false);
    expect(isSafeOutput({ ...sent, tool_name: "Write" }, withInput(input))).toBe(false);
  });
});

describe("grants", () => {
  const rule = (content: string) => ({
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: content }],
    behavior: "allow",
    destination: "session",
  });
  const granted = (raw: object, options: Option[], pick: number) => {
    const questions = [{ text: "?", header: "", multiSelect: false, options }];
    const outcome: Outcome = { type: "answered", actor: PERSON, at: 1, answers: [{ picks: [pick] }] };
    const printed = reply({ ...raw, tool_name: "Bash" }, askOf({ kind: "approval", questions }), outcome, "2.1.325");
    return (printed as { hookSpecificOutput: { decision: { updatedPermissions?: unknown } } }).hookSpecificOutput
      .decision.updatedPermissions;
  };

  test("[EF9] are those of the option that was shown, not of what the waiting hook has in its place", () => {
    const shown = approvalChoices(payload([rule("ls"), rule("cat")])).map(({ option }) => option);
    expect(granted(payload([rule("cat"), rule("ls")]), shown, 1)).toEqual([rule("ls")]);
    expect(granted(payload([rule("rm")]), shown, 1)).toBeUndefined();
    expect(granted(payload([rule("ls")]), shown, 0)).toBeUndefined();
  });

  test("[EF9] of an Ask that was stored before options said what they allow are those in its place", () => {
    const shown = approvalChoices(payload([rule("ls")])).map(({ option: { target: _target, ...option } }) => option);
    expect(granted(payload([rule("ls")]), shown, 1)).toEqual([rule("ls")]);
    expect(granted(payload([rule("ls")]), shown, 0)).toBeUndefined();
  });
});

describe("what would be done", () => {
  test.each([
    ["Bash", { command: "ls -l", description: "List" }, "Allow this command?", "$ ls -l", "$ ls -l\n# List"],
    ["Write", { file_path: "/p/a", content: "x\ny" }, "Allow writing /p/a?", "write a (+2)", "+ x\n+ y"],
    [
      "Edit",
      { file_path: "/a", old_string: "w\nx", new_string: "w\ny" },
      "Allow this edit of /a?",
      "write /a (+1 −1)",
      "- w\n- x\n+ w\n+ y",
    ],
    [
      "MultiEdit",
      { file_path: "/a", edits: [{ old_string: "x" }, {}, null] },
      "Allow these edits of /a?",
      "write /a (−1)",
      "- x\n…\n\n…\n",
    ],
    ["NotebookEdit", { notebook_path: "/p/n", new_source: "x" }, "Allow this edit of /p/n?", "write n (+1)", "+ x"],
    ["Read", { file_path: "/etc/hosts" }, "Allow reading /etc/hosts?", "read /etc/hosts", "/etc/hosts"],
    ["WebFetch", { url: "https://x.test", prompt: "p" }, "Allow fetching https://x.test?", "fetch x.test", "p"],
    ["WebSearch", { query: "q" }, "Allow this web search?", "search “q”", "q"],
    ["mcp__db__drop", { t: "u" }, "Allow mcp__db__drop?", 'mcp__db__drop {"t":"u"}', '{\n  "t": "u"\n}'],
    ["Bash", undefined, "Allow this command?", "$ ", "$ "],
    ["Edit", { file_path: 7 }, "Allow this edit of ?", "write ", ""],
    ["toString", { a: 1 }, "Allow toString?", 'toString {"a":1}', '{\n  "a": 1\n}'],
  ])("[AP44] %s %j", (tool, input, text, title, body) => {
    expect(describeTool(tool, input, "/p")).toEqual({ text, title, body });
  });

  test("[AP45] a long one is cut, and neither a description nor an old text hides what is new", () => {
    const long = "word ".repeat(10_000);
    expect(describeTool("Bash", { command: "rm x", description: long }, "/p").body).toStartWith("$ rm x\n# word");
    const { body } = describeTool("Edit", { file_path: "/a", old_string: long, new_string: "evil" }, "/p");
    expect([body.length < 9000, body.endsWith("\n+ evil")]).toEqual([true, true]);
  });

  test("[AP46] equal calls match whatever the order of their fields; other calls do not", () => {
    expect(matchOf("Bash", { a: 1, b: { c: [1, 2], d: null } })).toBe(
      matchOf("Bash", { b: { d: null, c: [1, 2] }, a: 1 }),
    );
    const others = [
      matchOf("Bash", { a: "1" }),
      matchOf("Bash", { a: 1 }),
      matchOf("Read", { a: 1 }),
      matchOf("Bash", [1]),
    ];
    expect(new Set(others).size).toBe(4);
  });

  test("[AP47] a plan that comes without its text is still asked about", () => {
    const { kind, questions } = toolQuestion("ExitPlanMode", payload());
    expect([kind, questions[0]?.text, questions[0]?.body]).toEqual(["plan", "Approve this plan?", undefined]);
    expect(questions[0]?.options.map(({ stakes }) => stakes)).toEqual([undefined, "high", undefined, undefined]);
  });
});
