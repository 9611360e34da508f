import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createScan, type ScannedAsk } from "../scan.ts";
import { copilot } from "./copilot.ts";
import { questionsOf } from "./payload.ts";
import { hookSide } from "./hook-side.ts";

const fixtures = join(import.meta.dir, "fixtures/1.0.102");
const lines = readFileSync(join(fixtures, "events.jsonl"), "utf8").trim().split("\n");
const items = lines.flatMap((line) => copilot.record?.lines?.read(line) ?? []);
const resultOf = (key: string) => items.find((item) => item.type === "result" && item.key === key);

test("[CP21] its record tells the form, the call that waits for leave, and what became of both", () => {
  const asked = items.filter((item) => item.type === "asked" && item.questions.length > 0);
  expect(asked[0]).toMatchObject({
    key: "call_87_0",
    questions: [
      {
        id: "database",
        header: "Database",
        text: "Which database should I use?",
        options: [{ label: "PostgreSQL" }, { label: "SQLite" }],
      },
    ],
  });
  const leave = asked.find((item) => item.type === "asked" && item.kind === "approval");
  expect(leave).toMatchObject({
    key: "call_93_0",
    call: { type: "command", command: "touch labfile.txt" },
    questions: [{ title: "$ touch labfile.txt", options: [{ effect: "allow" }, { effect: "deny" }] }],
  });
  const result = resultOf("call_87_0");
  const questions = asked[0]?.type === "asked" ? asked[0].questions : [];
  expect(result?.type === "result" && result.read(questions)).toMatchObject({
    type: "answers",
    choices: [{ labels: ["SQLite"] }],
  });
  const ran = resultOf("call_93_0");
  expect(ran?.type === "result" && ran.read([], "approval")).toMatchObject({ type: "ran", isError: false });
});

test("[CP22] past questions are found in its record", () => {
  const found: ScannedAsk[] = [];
  const format = copilot.record?.lines;
  if (!format) throw new Error("it has no lines");
  const scan = createScan(format, (ask) => found.push(ask));
  for (const line of lines) scan.line(Buffer.from(line));
  scan.end();
  expect(found.map(({ key, outcome }) => [key, outcome?.type])).toEqual([["call_87_0", "answered-elsewhere"]]);
});

test("[CP23] a hook that comes before a call is a question only where a grant may decide it", () => {
  const base = { sessionId: "s", cwd: "/p", transcriptPath: "/e" };
  const leave = { ...base, hookName: "permissionRequest", toolName: "bash", toolInput: { command: "ls" } };
  expect(copilot.hooks?.read(leave)).toMatchObject({ type: "asked", kind: "approval", isOnlyGranted: true });
  // What it would do in another folder, or without a sandbox, nobody has granted.
  const odd = { ...leave, toolInput: { command: "ls", sandbox: false } };
  expect(copilot.hooks?.read(odd)).toBeUndefined();
  expect(copilot.hooks?.read({ ...leave, toolName: "create", toolInput: { path: "x" } })).toBeUndefined();
  expect(hookSide.isSafeOutput(leave, { behavior: "allow" })).toBe(true);
  for (const said of [{ behavior: "allow", more: 1 }, { behavior: "deny" }, { permissionDecision: "allow" }, null, 1])
    expect(hookSide.isSafeOutput(leave, said)).toBe(false);
});

test("[CP24] every kind of field becomes a question, and a form without fields none", () => {
  const properties = {
    one: { type: "string", enum: ["a", "b"] },
    named: { type: "string", title: "Named", oneOf: [{ const: "x", title: "Ex" }] },
    many: { type: "array", items: { enum: ["a"] } },
    yes: { type: "boolean" },
    words: { type: "string" },
    odd: 7,
  };
  const asked = questionsOf({ message: "m", requestedSchema: { properties: { ...properties, odd: undefined } } });
  expect(asked).toBeUndefined();
  const { odd: _odd, ...known } = properties;
  const questions = questionsOf({ message: "m", requestedSchema: { properties: known } }) ?? [];
  expect(questions.map(({ multiSelect, options }) => [multiSelect, options.map(({ label }) => label)])).toEqual([
    [false, ["a", "b"]],
    [false, ["Ex"]],
    [true, ["a"]],
    [false, ["Yes", "No"]],
    [false, []],
  ]);
  expect(questionsOf({ message: "m", requestedSchema: { properties: {} } })).toBeUndefined();
});
