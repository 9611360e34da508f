import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { type Id, lineOf, type Message, messageIn } from "./json-rpc.ts";
import { createTraffic } from "./traffic.ts";

const runs = { numRuns: Number(process.env["FUZZ_RUNS"]) || 500 };
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
const permission = (id: Id): Message => ({
  type: "request",
  id,
  method: "session/request_permission",
  params: { sessionId: "s", toolCall: { toolCallId: `call ${id}`, rawInput: { command: "ls" } }, options },
});
const replied = (id: Id, result: unknown = {}): Message => ({ type: "reply", id, result, error: undefined });
const nameIn = (told: Record<string, unknown>[]) => String(told[0]?.["name"]);
const allow = { result: { outcome: { outcome: "selected", optionId: "yes" } } };

test("[AC11] whoever answers first has answered: the agent hears one answer to each request, the editor is told once", () => {
  const id = fc.oneof(fc.nat(3), fc.constantFrom("0", "1", "a"));
  const step = fc.record({ id, by: fc.constantFrom("agent", "editor", "parley", "withdrawn") });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const traffic = createTraffic("run");
      /** Requests of the agent that have no answer yet, by id. */
      const open = new Map<Id, string>();
      let owed = 0;
      for (const { id: at, by } of steps) {
        if (by === "agent" && !open.has(at)) open.set(at, nameIn(traffic.fromAgent(permission(at))));
        const name = open.get(at);
        if (by === "withdrawn" && name !== undefined) {
          const told = traffic.fromAgent({ type: "notice", method: "$/cancel_request", params: { requestId: at } });
          expect(told).toMatchObject([{ type: "withdrawn", name }]);
          open.delete(at);
        } else if (by === "parley") {
          const lines = traffic.answer(name ?? "run.none", allow);
          expect(lines?.toAgent.map(messageIn)).toEqual(name === undefined ? undefined : [replied(at, allow.result)]);
          expect(lines === undefined).toBe(name === undefined);
          if (lines) owed += lines.toEditor.length;
          open.delete(at);
        } else if (by === "editor" && name !== undefined) {
          const { isPassed, told } = traffic.fromEditor(replied(at));
          expect([isPassed, told[0]?.["type"], told[0]?.["name"]]).toEqual([true, "replied", name]);
          open.delete(at);
        } else if (by === "editor") {
          // Late, or of a request that was never asked: dropped as often as the editor owes an answer, else passed on.
          if (!traffic.fromEditor(replied(at)).isPassed) owed -= 1;
          expect(owed).toBeGreaterThanOrEqual(0);
        }
      }
    }),
    runs,
  );
});

test("[AC12] an id that the agent uses again gets its own answer, and a cancellation is of the request before", () => {
  const traffic = createTraffic("run");
  const first = nameIn(traffic.fromAgent(permission(0)));
  expect(traffic.answer(first, allow)).toBeDefined();
  const second = nameIn(traffic.fromAgent(permission(0)));
  expect(second).not.toBe(first);
  const cancelled = { code: -32800, message: "cancelled" };
  expect(traffic.fromEditor({ type: "reply", id: 0, result: undefined, error: cancelled }).isPassed).toBe(false);
  expect(traffic.fromEditor(replied(0)).told).toMatchObject([{ type: "replied", name: second }]);
  // A text and a number are two ids.
  traffic.fromAgent(permission("0"));
  expect(traffic.fromEditor(replied(0)).told).toEqual([]);
  expect(traffic.fromEditor(replied("0")).told).toHaveLength(1);
});

test("[AC13] what is no message of the protocol, or has an id that a computer rounds, is nobody's business", () => {
  for (const line of ["", "{", "[]", "null", '"x"', '[{"id":1,"method":"a"}]', '{"id":1}', '{"id":null,"result":1}'])
    expect(messageIn(Buffer.from(line))).toBeUndefined();
  expect(messageIn(Buffer.from('{"id":12345678901234567890,"method":"session/request_permission"}'))).toBeUndefined();
  expect(messageIn(lineOf({ id: "x", method: "m", params: [] }))).toEqual({
    type: "request",
    id: "x",
    method: "m",
    params: {},
  });
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const message = messageIn(Buffer.from(text));
      const traffic = createTraffic("run");
      if (!message) return;
      traffic.fromAgent(message);
      traffic.fromEditor(message);
    }),
    runs,
  );
});

test("[AC14] a stream of calls, sessions and requests without an end is not kept", () => {
  const traffic = createTraffic("run");
  const text = "x".repeat(50_000);
  for (let i = 0; i < 3000; i++) {
    const update = { sessionUpdate: "tool_call", toolCallId: `c${i}`, rawInput: { text }, title: "t" };
    traffic.fromAgent({ type: "notice", method: "session/update", params: { sessionId: `s${i}`, update } });
    traffic.fromAgent(permission(i));
    traffic.fromEditor({
      type: "request",
      id: i,
      method: "session/prompt",
      params: { sessionId: `s${i}`, prompt: [] },
    });
  }
  expect(traffic.open().length).toBe(1000);
  // What came of a call is told with the call as it was told of before.
  const done = { sessionUpdate: "tool_call_update", toolCallId: "call 2999", status: "completed" };
  expect(traffic.answer(nameIn(traffic.open().slice(-1)), allow)).toBeDefined();
  const came = traffic.fromAgent({
    type: "notice",
    method: "session/update",
    params: { sessionId: "s", update: done },
  });
  expect(came).toMatchObject([{ type: "came", call: { rawInput: { command: "ls" }, status: "completed" } }]);
});
