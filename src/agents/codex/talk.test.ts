import { expect, test } from "bun:test";
import type { HeadlessRun } from "../capability/headless.ts";
import { headless } from "./headless.ts";
import { createTalk } from "./talk.ts";

const run: HeadlessRun = { session: "s", start: { how: "prompt" }, prompt: "Do it.", settings: "" };
const THREAD = { id: "thread-1", path: "/r.jsonl", cwd: "/p" };
const said = (messages: unknown[]) => messages as { method?: string; params?: Record<string, unknown> }[];

function begun(wanted: Partial<HeadlessRun> = {}) {
  const talk = createTalk({ ...run, ...wanted });
  talk.begin();
  const opened = talk.heard({ id: 1, result: { userAgent: "parley/0.166.0" } });
  const started = talk.heard({ id: 2, result: { thread: THREAD, model: "m" } });
  talk.heard({ id: 3, result: { turn: { id: "turn-1" } } });
  return { talk, opened, started };
}
const asks = (id: number, more: object = {}) => ({
  id,
  method: "item/tool/requestUserInput",
  params: {
    threadId: "thread-1",
    turnId: "turn-1",
    itemId: `call_${id}`,
    questions: [{ id: "q", question: "Which?", ...more }],
  },
});
const answer = (id: number, words?: string) => ({
  method: "POST" as const,
  path: String(id),
  body: { result: { answers: {} }, ...(words !== undefined && { words }) },
});

test("[CQ8] an open request is answered once, whoever wants it said again; one that is over not at all", () => {
  const { talk } = begun();
  expect(talk.heard(asks(0)).keep).toHaveLength(1);
  expect(talk.say(answer(0, "and more"))).toHaveLength(2);
  expect(talk.say(answer(0, "and more"))).toBeUndefined();
  talk.heard(asks(1));
  talk.heard({ method: "serverRequest/resolved", params: { threadId: "thread-1", requestId: 1 } });
  expect(talk.say(answer(1))).toBeUndefined();
});

test("[CQ9] what nobody can be asked for is refused at once, and said", () => {
  const { talk } = begun();
  const secret = talk.heard(asks(0, { isSecret: true }));
  const form = talk.heard({ id: 1, method: "mcpServer/elicitation/request", params: { threadId: "thread-1" } });
  for (const { say, keep } of [secret, form]) {
    expect(say).toMatchObject([{ error: { code: -32601 } }]);
    expect(headless.readStream(JSON.stringify(keep[0]))).toMatchObject([{ type: "returned", isError: true }]);
  }
});

test("[CQ10] the thread is begun or resumed in the wanted mode, and only the end of its own turn is the end", () => {
  expect(said(begun({ permissionMode: "read-only" }).opened.say)[1]).toMatchObject({
    method: "thread/start",
    params: { sandbox: "read-only", approvalPolicy: "on-request" },
  });
  const resumed = begun({ session: "thread-1", start: { how: "message", message: "Go on." }, permissionMode: "plan" });
  expect(said(resumed.opened.say)[1]).toMatchObject({ method: "thread/resume", params: { threadId: "thread-1" } });
  expect(said(resumed.started.say)[0]).toMatchObject({
    method: "turn/start",
    params: { input: [{ text: "Go on." }], collaborationMode: { mode: "plan" } },
  });
  const over = (threadId: string, id: string) => ({
    method: "turn/completed",
    params: { threadId, turn: { id, status: "completed" } },
  });
  const { talk } = begun();
  expect(talk.heard(over("thread-2", "turn-1")).isOver).toBe(false);
  expect(talk.heard(over("thread-1", "turn-0")).isOver).toBe(false);
  expect(talk.heard(over("thread-1", "turn-1")).isOver).toBe(true);
  const failed = begun().talk.heard({ id: 2, error: { message: "no rollout found for thread id x" } });
  expect(headless.readStream(JSON.stringify(failed.keep[0]))).toMatchObject([{ type: "ended", ok: false }]);
});
