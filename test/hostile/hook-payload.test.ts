import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { AGENTS } from "../../src/agents/agents.ts";
import { isSafeOutput } from "../../src/agents/claude-code/check-output.ts";
import { request } from "../e2e/api-request.ts";
import { recordings } from "../recorded.ts";
import { ALL, TEXTS } from "./corpus.ts";
import { mutated, oddValue, PATIENCE_MS, runs } from "./fuzz.ts";
import { createTarget, type Target } from "./target.ts";

const payloads = recordings().flatMap(({ hooks }) => hooks);
const lines = recordings().flatMap((run) => run.lines);

describe.each(AGENTS.filter(({ hooks, record }) => hooks && record?.lines))("$name", (agent) => {
  test(
    "[HO1] a payload bent in any way is read or passed over, never an error",
    () => {
      const read = (payload: unknown) => void agent.hooks?.read(payload);
      fc.assert(fc.property(fc.oneof(mutated(payloads), oddValue), read), runs(400));
    },
    PATIENCE_MS,
  );

  test(
    "[HO2] a line of the record bent in any way is read or passed over, never an error",
    () => {
      const read = (line: string) =>
        void agent.record?.lines?.read(line).map((item) => item.type === "result" && item.read([]));
      const parsed = lines.map((line) => JSON.parse(line) as unknown);
      fc.assert(
        fc.property(mutated(parsed), (line) => read(JSON.stringify(line) ?? "")),
        runs(400),
      );
      const cut = fc.tuple(fc.constantFrom(...lines), fc.nat(), fc.constantFrom("", "\0", "\ufffd", ...TEXTS));
      fc.assert(
        fc.property(cut, ([line, at, put]) => read(line.slice(0, at % line.length) + put)),
        runs(200),
      );
      const input = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
      const block = `{"type":"tool_use","id":"t","name":"Bash","input":${input}}`;
      expect(agent.record?.lines?.read(`{"type":"assistant","message":{"content":[${block}]}}`)).toEqual([]);
    },
    PATIENCE_MS,
  );
});

test(
  "[HO3] the last look at a hook's output never throws and passes nothing but what was asked",
  () => {
    const output = mutated(OUTPUTS);
    fc.assert(
      fc.property(mutated(payloads), output, (payload, said) => void isSafeOutput(payload, said)),
      runs(400),
    );
    for (const payload of payloads)
      expect(isSafeOutput(payload, { hookSpecificOutput: { decision: ALL } })).toBe(false);
  },
  PATIENCE_MS,
);

describe("the daemon", () => {
  let target: Target;
  beforeAll(async () => {
    target = await createTarget();
  });
  afterAll(() => target[Symbol.asyncDispose]());

  const call = (payload: unknown, more: object = {}) => {
    const body = { agent: "claude-code", call: crypto.randomUUID(), waits: false, facts: {}, ...more, payload };
    return request(target.program, "socket", "POST /hook/call", { token: target.program.tokens().agent, body });
  };

  test(
    "[HO4] takes or refuses a payload bent in any way, and stands",
    async () => {
      const facts = fc.oneof(fc.constant({}), fc.record({ pid: fc.integer(), tmux: fc.constantFrom(...TEXTS) }));
      await fc.assert(
        fc.asyncProperty(mutated(payloads), facts, async (payload, found) => {
          const { status } = await call(payload, { facts: found });
          expect([200, 413, 422]).toContain(status);
        }),
        runs(150),
      );
      await target.stands();
    },
    PATIENCE_MS,
  );

  const asked = { hook_event_name: "PermissionRequest", tool_name: "Tool", tool_input: {} };
  test("[HO5] a working directory of a hundred thousand parts holds up nobody", async () => {
    expect((await call({ ...asked, session_id: "long", cwd: "/a".repeat(100_000) })).status).toBe(200);
    await target.stands();
  });

  test("[HO6] a NUL in a path does not hide the question", async () => {
    for (const field of ["cwd", "transcript_path", "agent_id"]) {
      const payload = { ...asked, session_id: `nul-${field}`, transcript_path: "/x.jsonl", [field]: "/a\0b" };
      expect([field, (await call(payload)).status]).toEqual([field, 200]);
      const { asks } = await target.program.client().call("listAsks", { query: { session: `nul-${field}` } });
      expect([field, asks.length]).toEqual([field, 1]);
    }
    await target.stands();
  });

  test("[HO7] nesting without end and values without number are refused, and cost nothing", async () => {
    for (const depth of [101, 5000, 200_000]) {
      const payload = `{"session_id":"deep","tool_name":"Tool","hook_event_name":"PreToolUse","tool_input":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
      const body = `{"agent":"claude-code","call":"c","waits":false,"facts":{},"payload":${payload}}`;
      const reply = await request(target.program, "socket", "POST /hook/call", {
        token: target.program.tokens().agent,
        body,
      });
      expect([reply.status, reply.error.message]).toEqual([413, "A body is nested at most 100 deep"]);
    }
    const many = await call({
      ...asked,
      session_id: "many",
      tool_input: { list: Array.from({ length: 200_000 }, () => 0) },
    });
    expect([many.status, many.error.message]).toEqual([413, "A body has at most 100000 values"]);
    await target.stands();
  });

  test("[HO8] ten thousand options and ten thousand questions are one question each", async () => {
    const options = Array.from({ length: 10_000 }, (_, i) => ({ label: `${i}`, description: "d" }));
    const questions = options.map(({ label }) => ({ question: `Q${label}?`, header: "h", options: [] }));
    for (const input of [{ questions: [{ question: "Q?", header: "h", options }] }, { questions }]) {
      const payload = { ...asked, session_id: "many-options", tool_name: "AskUserQuestion", tool_input: input };
      expect((await call(payload)).status).toBe(200);
    }
    const { asks } = await target.program.client().call("listAsks", { query: { session: "many-options" } });
    expect(asks.map((ask) => [ask.questions.length, ask.questions[0]?.options.length])).toEqual([
      [1, 10_000],
      [10_000, 0],
    ]);
    await target.stands();
  });
});

const allow = { behavior: "allow", updatedInput: { questions: [], answers: { a: "b" } } };
const OUTPUTS = [
  { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: allow } },
  { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: {} } },
  { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "x" } },
];
