import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Question } from "../../core/ask/question.ts";
import { readHook } from "./read-hook.ts";
import { readLine, versionIn } from "./transcript.ts";

const options = ["SQLite", "Postgres"].map((label) => ({ label, description: "", recommended: false }));
const which: Question = { text: "Which?", header: "Which", multiSelect: false, options };
const SENTENCE =
  'Your questions have been answered: "Which?"="SQLite". You can now continue with these answers in mind.';
const ANSWERED = { questions: [], answers: { "Which?": "SQLite" } };

function lineOf(content: unknown, more: object = {}, block: object = {}): string {
  const result = { type: "tool_result", tool_use_id: "toolu_1", content, ...block };
  return JSON.stringify({ type: "user", message: { role: "user", content: [result] }, ...more });
}

function received(line: string, questions: readonly Question[] = [which]) {
  const [item] = readLine(line);
  return item?.type === "result" ? item.read(questions) : undefined;
}

describe("results", () => {
  test("[K20] an answer counts when the model read it", () => {
    expect(received(lineOf(SENTENCE, { toolUseResult: ANSWERED }))).toEqual({
      type: "answers",
      choices: [{ labels: ["SQLite"], raw: "SQLite" }],
      text: SENTENCE,
    });
    const other = SENTENCE.replace("SQLite", "Postgres");
    expect(received(lineOf(other, { toolUseResult: ANSWERED }))).toMatchObject({ choices: [undefined] });
    expect(received(lineOf("Answered: SQLite", { toolUseResult: ANSWERED }))).toMatchObject({
      choices: [{ labels: ["SQLite"] }],
    });
    expect(received(lineOf("Answered.", { toolUseResult: ANSWERED }))).toMatchObject({ choices: [undefined] });
  });

  test("[K20] the answer to one question is no proof for another", () => {
    const second = { ...which, text: "Where?" };
    const toolUseResult = { answers: { "Which?": "SQLite", "Where?": "SQLite" } };
    const line = lineOf(`Answered: "Which?"="SQLite", "Where?"=(no option selected).`, { toolUseResult });
    expect(received(line, [which, second])).toMatchObject({ choices: [{ labels: ["SQLite"] }, undefined] });
  });

  test("[K20] a note counts when the model read it", () => {
    const toolUseResult = { ...ANSWERED, annotations: { "Which?": { notes: "soon" } } };
    const told = SENTENCE.replace('"SQLite"', '"SQLite" notes: soon');
    expect(received(lineOf(told, { toolUseResult }))).toMatchObject({ choices: [{ note: "soon" }] });
    expect(received(lineOf(SENTENCE, { toolUseResult }))).toEqual({
      type: "answers",
      choices: [{ labels: ["SQLite"], raw: "SQLite" }],
      text: SENTENCE,
    });
  });

  test("[K21] the text of a result may come in parts", () => {
    const parts = SENTENCE.split("answered").map((text) => ({ type: "text", text }));
    expect(received(lineOf(parts, { toolUseResult: ANSWERED }))).toMatchObject({ choices: [{ labels: ["SQLite"] }] });
    expect(received(lineOf([null, { type: "image" }, { text: "no" }], {}, { is_error: true }))).toEqual({
      type: "denied",
      text: "\n\nno",
    });
  });

  test("[K22] a rejection is known by its own words, also when its structured result is a text", () => {
    const stop = "The user doesn't want to take this action right now. STOP what you are doing.";
    expect(received(lineOf(stop, { toolUseResult: "User rejected tool use" }))).toEqual({
      type: "refused",
      by: "escape",
      text: stop,
    });
    for (const said of [
      "The user declined to answer this question.",
      "The user wants to talk about this before answering: The user wants to clarify these questions.",
      "[Request interrupted by user] said somebody",
      "They said: The user doesn't want to proceed with this tool use.",
      "No [Tool result missing due to internal error]",
    ])
      expect(received(lineOf(said, { toolUseResult: `Error: ${said}` }, { is_error: true }))).toEqual({
        type: "denied",
        text: said,
      });
  });

  test.each([
    "[Tool result missing due to internal error]",
    "[Tool call did not complete: the turn was ended to deliver the message that follows.]",
    "[Tool call skipped: the turn was stopped before this call ran.]",
  ])("[K23] a result the agent itself lost is told as lost: %s", (text) => {
    expect(received(lineOf(text, {}, { is_error: true }))).toEqual({ type: "lost", text });
  });

  test("[K24] the agent's own timer ends a question, also beside what was already picked", () => {
    const toolUseResult = { ...ANSWERED, afkTimeoutMs: 60_000 };
    expect(received(lineOf("No response after 60s — …", { toolUseResult }))).toEqual({
      type: "timed-out",
      text: "No response after 60s — …",
    });
    const payload = { hook_event_name: "PostToolUse", session_id: "s", tool_name: "AskUserQuestion", tool_use_id: "t" };
    const asked = { questions: [{ question: "Which?" }] };
    expect(readHook({ ...payload, tool_input: asked, tool_response: toolUseResult })).toMatchObject({
      received: { type: "timed-out", text: "No response after 60s" },
    });
  });
});

describe("lines", () => {
  test("[K25] only the conversation itself counts, not copies of what was sent to the model", () => {
    for (const type of ["api-request-blob", "progress", "system", undefined])
      expect(readLine(lineOf(SENTENCE, { type, toolUseResult: ANSWERED }))).toEqual([]);
  });

  test("[K25] a field of another kind hides nothing else in its line", () => {
    const line = lineOf(SENTENCE, {
      toolUseResult: ANSWERED,
      timestamp: 5,
      version: null,
      attachment: "x",
      permissionDecision: 1,
      isSidechain: "no",
    });
    expect(received(line)).toMatchObject({ type: "answers", choices: [{ labels: ["SQLite"] }] });
    const blocks = [null, 5, { type: 1 }, { type: "text", text: 7 }, { type: "text", text: "Let me ask." }];
    expect(readLine(JSON.stringify({ type: "assistant", message: { content: blocks } }))).toEqual([
      { type: "said", text: "" },
      { type: "said", text: "Let me ask." },
    ]);
  });

  test("[K25] what a subagent says is not what the agent said last", () => {
    const content = [{ type: "text", text: "hello" }];
    expect(readLine(JSON.stringify({ type: "assistant", isSidechain: true, message: { content } }))).toEqual([]);
  });

  test("[K26] no line makes the reader throw", () => {
    for (const line of ["", "{", "null", "[]", "5", '"x"', "\0", "[".repeat(100_000), `{"a":`.repeat(50_000)]) {
      expect(readLine(line)).toEqual([]);
      expect(versionIn(line)).toBeUndefined();
    }
    const block = fc.record(
      {
        type: fc.constantFrom("tool_result", "tool_use", "text"),
        tool_use_id: fc.anything(),
        id: fc.anything(),
        name: fc.constant("AskUserQuestion"),
        input: fc.oneof(fc.anything(), fc.record({ questions: fc.oneof(fc.anything(), fc.array(fc.anything())) })),
        content: fc.oneof(fc.string(), fc.anything()),
        is_error: fc.anything(),
      },
      { requiredKeys: ["type"] },
    );
    const line = fc.record({
      type: fc.constantFrom("user", "assistant"),
      message: fc.oneof(fc.anything(), fc.record({ content: fc.array(fc.oneof(fc.anything(), block)) })),
      toolUseResult: fc.oneof(fc.anything(), fc.record({ answers: fc.anything(), annotations: fc.anything() })),
    });
    fc.assert(
      fc.property(line, (value) => {
        for (const item of readLine(JSON.stringify(value)))
          if (item.type === "result") expect(item.read([which]).text).toBeString();
      }),
      { numRuns: 2000 },
    );
  });
});

describe("hook payloads", () => {
  test("[K27] what is missing or of another kind is left out, the question is not", () => {
    const payload = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      tool_name: "AskUserQuestion",
      prompt_id: null,
      cwd: 5,
    };
    const questions = [{ question: "Which?", options: [{ label: "A (Recommended)" }, { description: 5 }] }];
    expect(readHook({ ...payload, tool_input: { questions } })).toEqual({
      type: "asked",
      session: { id: "s" },
      kind: "question",
      dialogOpen: false,
      questions: [
        {
          text: "Which?",
          header: "",
          multiSelect: false,
          options: [
            { label: "A (Recommended)", description: "", recommended: true },
            { label: "", description: "", recommended: false },
          ],
        },
      ],
    });
  });

  test("[K27] what is no question is not read as one", () => {
    const payload = { hook_event_name: "PermissionRequest", session_id: "s", tool_name: "AskUserQuestion" };
    expect(readHook(payload)).toBeUndefined();
    expect(readHook({ ...payload, tool_input: { questions: [] } })).toBeUndefined();
    const bash = readHook({ ...payload, tool_name: "Bash", tool_input: { questions: [{ question: "?" }] } });
    expect(bash).toMatchObject({ type: "asked", kind: "approval" });
    expect(readHook({ hook_event_name: "PreCompact", session_id: "s" })).toBeUndefined();
    for (const nothing of [undefined, null, 5, "x", [], {}]) expect(readHook(nothing)).toBeUndefined();
  });

  test("[K27] a subagent's question carries its id", () => {
    const payload = {
      hook_event_name: "PermissionRequest",
      session_id: "s",
      tool_name: "AskUserQuestion",
      agent_id: "sub",
    };
    expect(readHook({ ...payload, tool_input: { questions: [{ question: "?" }] } })).toMatchObject({ subagent: "sub" });
  });
});
