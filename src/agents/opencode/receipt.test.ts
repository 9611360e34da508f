import { expect, test } from "bun:test";
import { inFamily, readEvent, readPending, readPermission } from "./read-event.ts";
import { readPart } from "./receipt.ts";

const input = { questions: [{ question: "Which?", header: "", options: [{ label: "A", description: "" }] }] };
const part = (state: object) => ({ type: "tool", tool: "question", callID: "call_1", state: { input, ...state } });
const received = (state: object) => readPart(part(state))?.received;

test("[OC30] without the list beside it a text with commas is not taken apart", () => {
  const output = 'User has answered your questions: "Which?"="A, B".';
  expect(received({ status: "completed", output })).toEqual({
    type: "answers",
    choices: [undefined],
    unread: output,
    text: output,
  });
});

test("[OC31] a list that the model was not told is no proof", () => {
  const state = { status: "completed", output: '"Which?"="B"', metadata: { answers: [["A"]] } };
  expect(received(state)).toMatchObject({ choices: [undefined], unread: '[["A"]]' });
});

test("[OC32] a call that has not ended is running; one that failed by itself ran", () => {
  expect(received({ status: "pending" })).toBe("running");
  expect(received({ status: "running" })).toBe("running");
  expect(received({ status: "error", error: "ENOENT" })).toEqual({ type: "ran", text: "ENOENT", isError: true });
  expect(received({ status: "error", error: "[Tool execution was interrupted]" })).toMatchObject({
    type: "interrupted",
  });
});

test("[OC33] whatever comes instead gives nothing and breaks nothing", () => {
  const odd = [
    undefined,
    null,
    1,
    "x",
    [],
    {},
    { type: "question.asked" },
    { type: "question.asked", properties: null },
  ];
  const events = [
    "question.asked",
    "permission.asked",
    "question.replied",
    "message.part.updated",
    "session.created",
    "session.idle",
  ];
  const more = events.flatMap((type) => odd.map((properties) => ({ type, properties })));
  for (const event of [...odd, ...more]) expect(readEvent(event, event)).toBeUndefined();
  expect(readPending(null, { error: true })).toEqual([]);
  expect(readPart({ type: "text", text: "hello" })).toBeUndefined();
});

test("[OC34] sessions are told of with their folder, their title and whose subagent they are", () => {
  const info = { id: "ses_2", parentID: "ses_1", title: "Look", directory: "/home/dev/project" };
  const about = { session: { id: "ses_2", cwd: "/home/dev/project" }, parent: "ses_1", title: "Look" };
  expect(readEvent({ type: "session.created", properties: { info } })).toEqual({ type: "session-started", ...about });
  expect(readEvent({ type: "session.updated", properties: { info } })).toEqual({ type: "session-seen", ...about });
  expect(readEvent({ type: "session.deleted", properties: { info } })).toMatchObject({
    type: "session-ended",
    reason: "deleted",
  });
  const error = { name: "APIError", data: { message: "overloaded" } };
  expect(readEvent({ type: "session.error", properties: { sessionID: "ses_2", error } })).toMatchObject({
    type: "noticed",
    message: "overloaded",
  });
});

test("[OC35] what a subagent asks belongs to the session above it", () => {
  const asked = readPermission({ id: "per_1", sessionID: "ses_3", permission: "bash" });
  if (!asked) throw new Error("not read");
  const parents: Record<string, string> = { ses_3: "ses_2", ses_2: "ses_1" };
  expect(inFamily(asked, (id) => parents[id])).toMatchObject({
    session: { id: "ses_1" },
    subagent: "ses_3",
    key: "per_1",
  });
  expect(inFamily(asked, () => undefined)).toEqual(asked);
  expect(inFamily(asked, (id) => id)).toEqual(asked);
});

test("[OC36] without the call only parts of a command are known, and that is said", () => {
  const request = {
    id: "per_1",
    sessionID: "ses_1",
    permission: "bash",
    patterns: ["echo once"],
    always: [],
    metadata: {},
  };
  const [bare] = readPermission(request)?.questions ?? [];
  expect(bare?.body).toBe("$ echo once\n# parts of the command");
  expect(bare?.options.map(({ effect }) => effect)).toEqual(["allow", "deny", "cancel"]);
  const [odd] =
    readPermission({ ...request, permission: "lab_tool", patterns: ["*"] }, { tool: "lab_tool", input: { a: 1 } })
      ?.questions ?? [];
  expect(odd).toMatchObject({ text: "Allow lab_tool?", body: '{\n  "a": 1\n}' });
});
