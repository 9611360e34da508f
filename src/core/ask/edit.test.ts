import { describe, expect, test } from "bun:test";
import { askOf, PERSON } from "../../../test/sample.ts";
import { isSafeOutput } from "../../agents/claude-code/check-output.ts";
import type { Ask } from "./ask.ts";
import { applyAskEvent } from "./lifecycle.ts";
import type { Actor } from "./outcome.ts";
import { settle } from "./settle.ts";
import { APPROVE, DENY } from "./answer/verdicts.ts";

const always = { ...APPROVE, label: "Always allow", target: "all" };
const question = { text: "Allow?", header: "Bash", multiSelect: false, options: [APPROVE, always, DENY] };
const call = { type: "command", command: "rm -rf /" } as const;
const editable = { what: "command", text: call.command } as const;
const asked = (more: Partial<Ask> = {}) => askOf({ kind: "approval", questions: [question], call, editable, ...more });
const change = (ask: Ask, changed: string, actor: Actor = PERSON, pick = 0) =>
  settle(ask, { action: "answer", answers: [{ picks: [pick] }], changed }, actor, 5000);

describe("a call changed before it is allowed", () => {
  test("[EB6] is kept with its difference, and is what was allowed for whoever looks back", () => {
    const event = change(asked(), "rm -rf build");
    expect(event).toMatchObject({
      outcome: {
        changed: { what: "command", text: "rm -rf build", diff: "@@ -1,1 +1,1 @@\n-rm -rf /\n+rm -rf build" },
      },
    });
    expect(applyAskEvent(asked(), event, { id: "a1", at: 1 }).call).toEqual({
      type: "command",
      command: "rm -rf build",
    });
    expect(change(asked(), call.command)).not.toHaveProperty("outcome.changed");
  });

  test.each<[string, Actor, string]>([
    ["an agent", { type: "agent", surface: "cli", session: "x" }, "Only a person"],
    ["a rule", { type: "rule", surface: "autopilot", kind: "approval" }, "Only a person may change a call"],
    ["a notification", { type: "person", surface: "desktop" }, "not from a notification"],
    ["a link", { type: "person", surface: "link" }, "not from a notification"],
  ])("[EB5] is refused to %s", (_, actor, words) => {
    expect(() => change(asked(), "ls", actor)).toThrow(words);
  });

  test.each<[string, () => unknown, string]>([
    ["empty", () => change(asked(), "  "), "cannot be empty"],
    ["a control character", () => change(asked(), "ls\u001b[2J"), "holds a character"],
    ["too long", () => change(asked(), "x".repeat(20_001)), "more than 20000"],
    ["with always allow", () => change(asked(), "ls", PERSON, 1), "approved once"],
    ["with deny", () => change(asked(), "ls", PERSON, 2), "approved once"],
    [
      "the text it replaces",
      () => change(asked({ editable: { what: "content", text: "a", unlike: "b" } }), "b"),
      "by itself",
    ],
    [
      "of an agent that takes none",
      () => change(askOf({ kind: "approval", questions: [question] }), "ls"),
      "runs this call as it is",
    ],
    ["of a question", () => change(askOf({ questions: [question] }), "ls"), "Only a call that waits for leave"],
  ])("[EB7] what does not fit is refused in words: %s", (_, work, words) => {
    expect(work).toThrow(words);
  });

  test("[EB8] the hook lets through that change alone: no other field, and no grant with it", () => {
    const payload = {
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "a", timeout: 1 },
    };
    const output = (updatedInput: object, more = {}) => ({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "allow", updatedInput, ...more },
      },
    });
    expect(isSafeOutput(payload, output({ command: "b", timeout: 1 }), "b")).toBe(true);
    expect(isSafeOutput(payload, output({ command: "b", timeout: 1 }))).toBe(false);
    expect(isSafeOutput(payload, output({ command: "c", timeout: 1 }), "b")).toBe(false);
    expect(isSafeOutput(payload, output({ command: "b", timeout: 2 }), "b")).toBe(false);
    expect(isSafeOutput(payload, output({ command: "b", timeout: 1 }, { updatedPermissions: [] }), "b")).toBe(false);
    expect(isSafeOutput({ ...payload, tool_name: "WebFetch" }, output({ command: "b", timeout: 1 }), "b")).toBe(false);
  });
});
