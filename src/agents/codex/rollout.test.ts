import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answered, askOf } from "../../../test/sample.ts";
import type { Outcome } from "../../core/ask/outcome.ts";
import { compareAnswer } from "../../core/receipt/compare.ts";
import { judge } from "../../core/receipt/judge.ts";
import { patchOf } from "./file-change.ts";
import { commandQuestion } from "./approval.ts";
import { CommandRequest, questionsOf } from "./payload.ts";
import { readOutput } from "./received.ts";
import { record } from "./record.ts";
import { reply } from "./reply.ts";

const path = join(import.meta.dir, "fixtures/0.166.0/rollout/rollout.jsonl");
const option = (label: string) => ({ label, description: "" });
const questions =
  questionsOf({
    questions: [
      { id: "database", question: "Which?", header: "", options: [option("A, B"), option("C")] },
      { id: "deploy", question: "Where?", header: "", options: [option("Cloud"), option("Here")] },
    ],
  }) ?? [];
const ended = (type: Outcome["type"], message?: string): Outcome => ({
  ...answered(),
  type,
  ...(message !== undefined && { message }),
});

test("[CX30] the rollout is the receipt: an answer from outside, one of the terminal, Esc", async () => {
  const rollout = record.open(path);
  await rollout.refresh();
  const asked = questionsOf(JSON.parse(callArguments("call_55_0"))) ?? [];
  const received = (key: string) => rollout.received(key, asked);
  expect(received("call_55_0")).toMatchObject({ type: "answers", choices: [{ labels: ["SQLite"] }] });
  expect(received("call_58_0")).toMatchObject({ type: "answers", choices: [{ labels: ["PostgreSQL"] }] });
  expect(received("call_61_0")).toMatchObject({ type: "refused", by: "escape" });
  expect([rollout.results("call_55_0"), rollout.unanswered()]).toEqual([1, []]);
});

test("[CX31] of commands it says whether they ran or were refused, and never with which words", async () => {
  const rollout = record.open(path, { tools: true, from: 0 });
  await rollout.refresh();
  expect(rollout.received("call_63_0", [], "approval")).toMatchObject({ type: "ran" });
  expect(rollout.received("call_66_0", [], "approval")).toMatchObject({ type: "denied", isWordless: true });
  expect(readOutput("Wall time: 1.3 seconds\naborted by user", [], "approval")).toMatchObject({ type: "refused" });
  expect(readOutput("patch rejected by user", [], "approval")).toMatchObject({ type: "denied" });
  // What a program printed is no word of codex's.
  expect(readOutput("Output:\naborted by user\n", [], "approval")).toMatchObject({ type: "ran" });
});

test("[CX32] nothing for any question is codex's own timer; what its daemon died with was interrupted", () => {
  expect(readOutput('{"answers":{}}', questions, "question")).toMatchObject({ type: "timed-out" });
  expect(readOutput('{"answers":{"database":{"answers":[]}}}', questions, "question").type).toBe("timed-out");
  expect(readOutput("aborted", questions, "question")).toMatchObject({ type: "interrupted" });
  expect(readOutput("something new", questions, "question")).toMatchObject({
    type: "answers",
    unread: "something new",
  });
});

test("[CX33] what is sent is read back as it was sent: labels with commas, own words, notes", () => {
  const ask = askOf({ kind: "question", questions });
  const outcome = answered({ picks: [0], note: "small" }, { picks: [], text: "Mine, too", note: "later" });
  const sent = reply(ask, outcome);
  expect(sent).toEqual({
    result: {
      answers: {
        database: { answers: ["A, B", "user_note: small"] },
        deploy: { answers: ["None of the above", "user_note: Mine, too", "user_note: later"] },
      },
    },
  });
  if (!sent || "stop" in sent) throw new Error("nothing was sent");
  const received = readOutput(JSON.stringify(sent.result), questions, "question");
  if (received.type !== "answers") throw new Error("no answers");
  const same = questions.map((question, i) =>
    compareAnswer(question, outcome.answers?.[i] ?? { picks: [] }, received.choices[i] ?? { labels: [] }),
  );
  expect(same).toEqual([{ same: true }, { same: true }]);
});

test("[CX34] who declines or wants to talk is quoted in the place of the answer; a cancelled question stops the turn", () => {
  const ask = askOf({ kind: "question", questions });
  expect(reply(ask, ended("declined"))).toMatchObject({
    result: {
      answers: {
        database: { answers: ["None of the above", "user_note: The user declined to answer this question."] },
      },
    },
  });
  expect(reply(ask, ended("cancelled"))).toEqual({ stop: true });
  const closed = askOf({ kind: "question", questions: questions.map((each) => ({ ...each, ownWords: false })) });
  expect(reply(closed, ended("declined"))).toBeUndefined();
  expect(reply(closed, answered({ picks: [0] }, { picks: [1] }))).toBeDefined();
});

test("[CX35] a command is answered with exactly what codex offered; a refusal's words follow it", () => {
  const always = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } };
  const request = CommandRequest.parse({
    command: "touch x",
    availableDecisions: ["accept", always, { new: 1 }, "cancel"],
  });
  const ask = askOf({ kind: "approval", questions: [commandQuestion(request)] });
  expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual([
    "Approve",
    "Always allow touch …",
    "Deny",
    "Cancel",
  ]);
  expect(reply(ask, answered({ picks: [1] }))).toEqual({ result: { decision: always } });
  expect(reply(ask, answered({ picks: [2] }))).toEqual({ result: { decision: "decline" } });
  expect(reply(ask, answered({ picks: [2], note: "use mktemp" }))).toEqual({
    result: { decision: "decline" },
    words: "The user does not allow this: use mktemp",
  });
  expect(reply(ask, answered({ picks: [3] }))).toEqual({ result: { decision: "cancel" } });
});

test.each([
  ["/bin/bash -lc 'touch x'", "touch x"],
  ["/bin/bash -lc ls", "ls"],
  [String.raw`/usr/bin/zsh -lc "echo 'it' \"\$HOME\""`, String.raw`echo 'it' "$HOME"`],
  [String.raw`/bin/bash -lc 'a'"'"'b'`, String.raw`/bin/bash -lc 'a'"'"'b'`],
  [`/bin/bash -lc "echo $HOME"`, `/bin/bash -lc "echo $HOME"`],
  ["git push", "git push"],
])("[CX38] %s is shown as the model wrote it, or whole", (command, shown) => {
  expect(commandQuestion(CommandRequest.parse({ command })).title).toBe(`$ ${shown}`);
});

test("[CX36] a refusal that carries no words is proof of ours, whatever words went with it", () => {
  const ask = askOf({ kind: "approval", questions: [commandQuestion(CommandRequest.parse({ command: "touch x" }))] });
  const outcome = answered({ picks: [1], note: "no" });
  const [delivery] = ask.deliveries;
  if (!delivery) throw new Error("no delivery");
  const received = readOutput("patch rejected by user", [], "approval");
  expect(judge({ ...ask, outcome }, delivery, received, 0)).toMatchObject({ type: "ask.verified" });
});

test("[CX37] the patch of an edit is taken out of the call that codex wrote down", () => {
  const patch = "*** Begin Patch\n*** Add File: /x/new.txt\n+one\n+two\n*** Update File: b.ts\n-a\n+b\n*** End Patch";
  const found = { files: ["/x/new.txt", "b.ts"], patch, added: 3, removed: 1 };
  expect(patchOf({ cmd: `apply_patch <<'EOF'\n${patch}\nEOF\n` })).toEqual(found);
  expect(patchOf({ input: patch })).toEqual(found);
  expect(patchOf({ cmd: "ls" })).toBeUndefined();
});

function callArguments(key: string): string {
  const line = readFileSync(path, "utf8")
    .split("\n")
    .find((each) => each.includes(key));
  return (JSON.parse(line ?? "") as { payload: { arguments: string } }).payload.arguments;
}
