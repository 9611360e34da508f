import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Ask } from "../../core/ask/ask.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { observed } from "../../core/receipt/judge.ts";
import type { Agent } from "../agent.ts";
import { gemini } from "../gemini/gemini.ts";
import { hookSide as geminiSide } from "../gemini/hook-side.ts";
import { qwen } from "../qwen/qwen.ts";
import { hookSide as qwenSide } from "../qwen/hook-side.ts";
import type { HookReading } from "../capability/reading.ts";
import { toldChoices, toldOutcome } from "./told-answers.ts";

const fixture = (agent: string, version: string, file: string) =>
  join(import.meta.dir, `../${agent}/fixtures/${version}/${file}.jsonl`);
async function readingsOf(agent: Agent, path: string): Promise<HookReading[]> {
  const lines = (await Bun.file(path).text()).trim().split("\n");
  return lines.flatMap((line) => agent.hooks?.read(JSON.parse(line)) ?? []);
}
const typesIn = (readings: readonly HookReading[]) => readings.map(({ type }) => type);

test("[GM20] what Gemini CLI's hooks sent: a question before its dialog, a call when its dialog opens", async () => {
  const readings = await readingsOf(gemini, fixture("gemini", "0.61.0", "hooks"));
  expect(new Set(typesIn(readings))).toEqual(
    new Set(["session-started", "asked", "noticed", "result", "turn-ended", "session-ended"]),
  );
  const asked = readings.filter((reading) => reading.type === "asked");
  expect(asked.map(({ kind, dialogOpen }) => [kind, dialogOpen])).toEqual([
    ["question", false],
    ["question", false],
    ["approval", true],
    ["approval", true],
  ]);
  expect(asked[2]).toMatchObject({ call: { type: "command", command: "touch labfile.txt" } });
  expect(asked[3]).toMatchObject({ call: { type: "write" }, questions: [{ body: "+ hello\n+ world" }] });
});

test("[GM21] its chat file proves what was picked, what Esc did and what was allowed", async () => {
  const path = fixture("gemini", "0.61.0", "chat");
  const record = gemini.record?.open(path, { tools: true, from: 0 });
  await record?.refresh();
  const asked = (await readingsOf(gemini, fixture("gemini", "0.61.0", "hooks"))).filter(({ type }) => type === "asked");
  const ends = asked.map((reading, i) => {
    if (reading.type !== "asked") return undefined;
    const keys = record?.keysOf(reading.questions, 0, reading.match) ?? [];
    // The same question was asked twice.
    const received = record?.received(keys[i === 1 ? 1 : 0] ?? "", reading.questions, reading.kind);
    return received && (received.type === "answers" ? observed(reading.questions, received, 0).answers : received.type);
  });
  expect(ends).toEqual([[{ picks: [1] }], "refused", "ran", "refused"]);
  expect(await gemini.record?.lastSaid(path)).toStartWith("RESULT: ");
});

test("[QW20] what Qwen Code's hooks sent: each dialog by its PermissionRequest, in hold mode with other ways to settle it", async () => {
  const path = fixture("qwen", "0.24.4", "hooks");
  const asked = (await readingsOf(qwen, path)).filter((reading) => reading.type === "asked");
  expect(asked.map(({ kind }) => kind)).toEqual(["question", "approval"]);
  const call = (await Bun.file(path).text()).split("\n").find((line) => line.includes('"touch labfile.txt"'));
  const held = qwen.hooks?.read(JSON.parse(call ?? ""), [], true);
  const labels = (reading: HookReading | undefined) =>
    reading?.type === "asked" ? reading.questions[0]?.options.map(({ label }) => label) : undefined;
  expect(labels(asked[1])).toEqual(["Approve", "Always allow in this project", "Deny and stop"]);
  expect(labels(held)).toEqual(["Approve", "Deny"]);
});

test("[QW21] its chat file has the call before the answer, and proves each end", async () => {
  const path = fixture("qwen", "0.24.4", "chat");
  const record = qwen.record?.open(path, { tools: true, from: 0 });
  await record?.refresh();
  expect(await qwen.record?.versionOf(path)).toBe("0.24.4");
  const lines = (await Bun.file(path).text()).trim().split("\n");
  const items = lines.flatMap((line) => qwen.record?.lines?.read(line) ?? []);
  const asked = items.filter((item) => item.type === "asked" && item.questions.length > 0);
  const ends = asked.map((item) => item.type === "asked" && record?.received(item.key, item.questions)?.type);
  expect(new Set(ends)).toEqual(new Set(["denied", "refused", "answers"]));
  expect(items.some((item) => item.type === "said")).toBe(true);
});

const questions = [
  { text: 'Which "one"?\n2. x', header: "A", multiSelect: false, options: [] },
  {
    text: "Which of them?",
    header: "B",
    multiSelect: true,
    options: ["a, b", "c"].map((label) => ({ label, description: "", recommended: false })),
  },
];
const ask = { kind: "question", questions } as unknown as Ask;
const answered = (more: object): Outcome => ({
  type: "answered",
  at: 0,
  actor: { type: "person", surface: "cli" },
  ...more,
});

test("[GM22] an answer told as the reason of a denial says that it is one, and is read back from the record", () => {
  const outcome = answered({
    answers: [
      { picks: [], text: 'line\n2. "Which of them?": "c"' },
      { picks: [0, 1], note: "both" },
    ],
  });
  const text = toldOutcome(ask, outcome);
  expect(text).toStartWith("The user has answered through Parley. This is their answer, not an error");
  expect(toldChoices(`Tool execution blocked: ${text}`, questions)).toMatchObject([
    { labels: [], text: 'line\n2. "Which of them?": "c"' },
    { labels: ["a, b", "c"], note: "both" },
  ]);
  expect(toldChoices("Tool execution blocked: no", questions)).toBeUndefined();
});

test("[GM23] a hook prints a denial of a question, or a context; nothing else of these agents passes", () => {
  const outcome = answered({ answers: [{ picks: [], text: "x" }, { picks: [1] }] });
  const before = { hook_event_name: "BeforeTool", tool_name: "ask_user" };
  const asked = { hook_event_name: "PermissionRequest", tool_name: "ask_user_question" };
  const call = { ...asked, tool_name: "run_shell_command" };
  expect(geminiSide.isSafeOutput(before, gemini.hooks?.reply(before, ask, outcome, undefined))).toBe(true);
  expect(
    geminiSide.isSafeOutput({ ...before, tool_name: "run_shell_command" }, { decision: "deny", reason: "x" }),
  ).toBe(false);
  expect(geminiSide.isSafeOutput(before, { decision: "allow", reason: "x" })).toBe(false);
  expect(qwenSide.isSafeOutput(asked, qwen.hooks?.reply(asked, ask, outcome, undefined))).toBe(true);
  const allow = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };
  expect([qwenSide.isSafeOutput(call, allow), qwenSide.isSafeOutput(asked, allow)]).toEqual([true, false]);
  const more = { ...allow.hookSpecificOutput, decision: { behavior: "allow", updatedInput: {} } };
  expect(qwenSide.isSafeOutput(call, { hookSpecificOutput: more })).toBe(false);
  for (const side of [geminiSide, qwenSide])
    for (const odd of [undefined, null, 3, [], "x", { decision: "deny" }])
      expect(side.isSafeOutput(odd, odd)).toBe(false);
});
