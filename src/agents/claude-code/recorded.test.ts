import { describe, expect, test } from "bun:test";
import { payloadsOf, recording, recordings, type Recording } from "../../../test/recorded.ts";
import type { Answer } from "../../core/ask/answer/answer.ts";
import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import type { Question } from "../../core/ask/question.ts";
import { canonicalQuestions } from "../../core/ask/canonical.ts";
import type { Received } from "../../core/receipt/received.ts";
import type { RecordItem } from "../capability/record.ts";
import { isSafeOutput } from "./check-output.ts";
import { readHook } from "./read-hook.ts";
import { reply } from "./reply.ts";
import { readLine } from "./transcript.ts";

type Asked = { key?: string; questions: Question[]; dialogOpen: boolean };

const READINGS: Record<string, string> = {
  PreToolUse: "asked",
  PermissionRequest: "asked",
  PostToolUse: "result",
  Stop: "turn-ended",
  SessionStart: "session-started",
  SessionEnd: "session-ended",
  Notification: "noticed",
};

/** What was done in the dialog of each case, as src/agents/claude-code/lab/record-cases.ts does it. */
const IN_DIALOG: Record<string, Answer[]> = {
  "single-select": [{ picks: [1] }],
  "free-text": [{ picks: [], text: 'my own, with "quotes"' }],
  "multi-select": [{ picks: [0, 2] }],
  "multi-select-commas-quotes": [{ picks: [0, 1, 2], text: 'plus, my "own"' }],
  "four-questions": [{ picks: [2] }, { picks: [1] }, { picks: [], text: "DuckDB" }, { picks: [1] }],
  "preview-notes": [{ picks: [1], note: "dense please" }],
  unicode: [{ picks: [1] }],
};

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const ESCAPED: Received = {
  type: "refused",
  by: "escape",
  text: `${REJECTED} STOP what you are doing and wait for the user to tell you how to proceed.`,
};
const CHAT: Received = {
  type: "refused",
  by: "chat",
  text: `${REJECTED} To tell you how to proceed, the user said:
The user wants to clarify these questions.
    This means they may have additional information, context or questions for you.
    Take their response into account and then reformulate the questions if appropriate.
    Start by asking them what they would like to clarify.

    Questions asked:
- "Which approach should we use?"
  (No answer provided)`,
};
/** Interrupting from a hook leaves Esc's own words: the hook's text is nowhere in the record. */
const NOT_ANSWERED: Record<string, Received> = {
  escape: ESCAPED,
  "two-in-one-message-escape": ESCAPED,
  "denied-by-hook-interrupt": ESCAPED,
  chat: CHAT,
  "denied-by-hook": { type: "denied", text: "text" },
  "agents-own-timeout": {
    type: "timed-out",
    text: "No response after 60s — the user may be away from keyboard. Proceed using your best judgment based on the context so far; you can re-ask this question later if it's still relevant.",
  },
};

describe.each(recordings().map((run) => [`${run.version} ${run.name}`, run] as const))("%s", (_, run) => {
  const asked = run.hooks.map((payload) => readHook(payload)).filter((reading) => reading?.type === "asked");
  const items = run.lines.flatMap((line) => readLine(line));
  const questionsOf = (key: string) => asked.find((reading) => reading.key === key)?.questions ?? [];

  test("[K1] every hook payload is read, with its session", () => {
    for (const payload of run.hooks) {
      const reading = readHook(payload);
      expect(String(reading?.type)).toBe(READINGS[payload.hook_event_name] ?? "");
      expect(reading?.session).toMatchObject({
        id: String(payload["session_id"]),
        cwd: "/home/dev/project",
        transcript: `/home/dev/.claude/projects/-home-dev-project/${String(payload["session_id"])}.jsonl`,
      });
    }
  });

  test("[K2] a question reads the same from every source; only PermissionRequest has no key and an open dialog", () => {
    const written = items.filter((item) => item.type === "asked");
    expect(written.length).toBeGreaterThan(0);
    const sources: Asked[] = [...asked, ...written.map((item) => ({ ...item, dialogOpen: false }))];
    for (const { key, questions, dialogOpen } of sources) {
      expect(dialogOpen).toBe(key === undefined);
      const original = written.find((item) => item.key === key) ?? written.find((item) => same(item, questions));
      expect(canonicalQuestions(questions)).toBe(canonicalQuestions(original?.questions ?? []));
    }
    expect(new Set(asked.flatMap(({ key }) => key ?? []))).toEqual(new Set(written.map(({ key }) => key)));
  });

  test("[K3] the transcript says once what came of a question, and PostToolUse says the same", () => {
    const told = results(items).map(({ key, read }) => [key, read(questionsOf(key))] as const);
    expect(new Set(told.map(([key]) => key)).size).toBe(told.length);
    for (const { key, received } of readResults(run)) {
      const written = told.find(([name]) => name === key)?.[1];
      if (received.type === "answers" && written?.type === "answers") expect(written.choices).toEqual(received.choices);
      else expect(written?.type).toBe(received.type);
    }
  });

  const chosen = IN_DIALOG[run.name];
  const inDialog = isDecidedByHook(run) || losesTheOption(run) ? [] : readResults(run).filter(isAnswered);
  if (inDialog.length > 0)
    test("[K4] our encoding of an answer is exactly the dialog's own", () => {
      for (const { key, questions, received, payload } of inDialog) {
        const answers = chosen ?? received.choices.map((choice, i) => answerOf(questions[i], choice));
        const dialog = payloadsOf(run, "PermissionRequest").find((request) => sameInput(request, payload));
        const output = reply(dialog, askOf(questions, key), answered(answers), run.version);
        expect(output).toEqual({
          hookSpecificOutput: {
            hookEventName: "PermissionRequest",
            decision: { behavior: "allow", updatedInput: payload["tool_input"] },
          },
        });
        expect(isSafeOutput(dialog, output)).toBe(true);
      }
    });

  if (chosen !== undefined)
    test("[K5] what was chosen is read back: options, text and note apart", () => {
      const [result] = results(items);
      const questions = questionsOf(result?.key ?? "");
      const received = result?.read(questions);
      expect(
        received?.type === "answers" && received.choices.map((choice, i) => answerOf(questions[i], choice)),
      ).toEqual(losesTheOption(run) ? [{ picks: [], note: "dense please" }] : (chosen ?? []));
    });

  const refusal = NOT_ANSWERED[run.name];
  if (refusal !== undefined)
    test("[K6] a question that was not answered says how, in the agent's own words", () => {
      const told = results(items).map(({ key, read }) => read(questionsOf(key)));
      expect(told).toEqual(payloadsOf(run, "PreToolUse").map(() => refusal));
    });
});

describe.each(["2.1.197", "2.1.325"])("%s", (version) => {
  test("[K7] an answer printed by a hook is read back, with its note", () => {
    const [plain] = results(recording(version, "answered-by-hook").lines.flatMap((line) => readLine(line)));
    const [noted] = results(recording(version, "answered-by-hook-with-notes").lines.flatMap((line) => readLine(line)));
    const questions = approach(version);
    expect(plain?.read(questions)).toMatchObject({ choices: [{ labels: ["Option B"] }] });
    expect(noted?.read(questions)).toMatchObject({ choices: [{ labels: ["Option B"], note: "keep it small" }] });
  });

  test("[K8] a session that was killed tells of its resumption and of the context it was given", () => {
    const run = recording(version, "killed-and-resumed");
    const starts = run.hooks.map((payload) => readHook(payload)).filter((r) => r?.type === "session-started");
    expect(starts.map(({ resumed }) => resumed)).toEqual([false, true]);
    const contexts = run.lines.flatMap((line) => readLine(line)).filter((item) => item.type === "context");
    expect(contexts).toHaveLength(1);
    expect(contexts[0]?.text).toContain("PARLEY-KEPT-ANSWER Which approach should we use? → Option B");
  });
});

test("[K9] 2.1.325 writes a result for a call cut off by the end of its session; it is no refusal", () => {
  const items = recording("2.1.325", "killed-and-resumed").lines.flatMap((line) => readLine(line));
  const [result] = results(items);
  expect(result?.read(approach("2.1.325"))).toEqual({
    type: "interrupted",
    text: "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]",
  });
  expect(results(recording("2.1.197", "killed-and-resumed").lines.flatMap((line) => readLine(line)))).toEqual([]);
});

test("[K10] 2.1.325 writes down who decided, 2.1.197 does not", () => {
  const decider = (version: string, name: string) => {
    const [result] = results(recording(version, name).lines.flatMap((line) => readLine(line)));
    const received = result?.read(approach(version));
    return received?.type === "answers" ? received.decidedBy : "no answer";
  };
  expect(decider("2.1.325", "single-select")).toBe("person");
  expect(decider("2.1.325", "answered-by-hook")).toBe("hook");
  expect(decider("2.1.197", "single-select")).toBeUndefined();
  expect(decider("2.1.197", "answered-by-hook")).toBeUndefined();
});

type Result = RecordItem & { type: "result" };
const results = (items: readonly RecordItem[]): Result[] => items.filter((item) => item.type === "result");

function readResults(run: Recording) {
  return payloadsOf(run, "PostToolUse").flatMap((payload) => {
    const reading = readHook(payload);
    return reading?.type === "result" ? [{ ...reading, payload }] : [];
  });
}

function approach(version: string): Question[] {
  const [payload] = payloadsOf(recording(version, "single-select"), "PreToolUse");
  const reading = readHook(payload);
  return reading?.type === "asked" ? reading.questions : [];
}

function answerOf(
  question: Question | undefined,
  choice: { labels: string[]; text?: string; note?: string } | undefined,
): Answer {
  const { labels = [], text, note } = choice ?? {};
  const picks = labels.map((label) => question?.options.findIndex((option) => option.label === label) ?? -1);
  return { picks, ...(text !== undefined && { text }), ...(note !== undefined && { note }) };
}

const isAnswered = <T extends { received: Received }>(r: T): r is T & { received: Received & { type: "answers" } } =>
  r.received.type === "answers";
const isDecidedByHook = ({ name }: Recording) => /hook|pretooluse/.test(name);
/** A note on a previewed option makes the dialog of 2.1.197 forget the option: nothing to be equal to. */
const losesTheOption = ({ version, name }: Recording) => version === "2.1.197" && name === "preview-notes";
const same = (item: { questions: Question[] }, questions: Question[]) =>
  canonicalQuestions(item.questions) === canonicalQuestions(questions);
const questionsIn = (payload: Record<string, unknown>) =>
  JSON.stringify((payload["tool_input"] as { questions: unknown }).questions);
const sameInput = (a: Record<string, unknown>, b: Record<string, unknown>) => questionsIn(a) === questionsIn(b);

function answered(answers: Answer[]): Outcome {
  return { type: "answered", actor: { type: "person", surface: "cli" }, at: 1, answers };
}

function askOf(questions: Question[], key: string): Ask {
  const origin = { agent: "claude-code" };
  const deliveries = [{ key, state: "waiting" as const }];
  return {
    id: "a",
    version: 1,
    kind: "question",
    state: "open",
    questions,
    origin,
    deliveries,
    createdAt: 0,
    updatedAt: 0,
  };
}
