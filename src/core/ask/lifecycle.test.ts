import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { answered, database, PERSON } from "../../../test/sample.ts";
import type { Ask } from "./ask.ts";
import { AUTOPILOT_STATES } from "./proposal.ts";
import type { AskEvent } from "./event.ts";
import { applyAskEvent, applySessionEvent } from "./lifecycle.ts";
import type { Outcome } from "./outcome.ts";
import type { Session } from "./session.ts";

const origin = { agent: "claude-code", session: "s1" };
const CAPTURED: AskEvent = {
  type: "ask.captured",
  kind: "question",
  questions: [database],
  origin,
  key: "k1",
  channel: "race",
};
const SETTLED: AskEvent = { type: "ask.settled", outcome: answered({ picks: [0] }) };
const sent = (key = "k1"): AskEvent => ({ type: "ask.sent", key, channel: "race" });
const verified = (key = "k1"): AskEvent => ({ type: "ask.verified", key, detail: "read" });
const mismatched = (key = "k1"): AskEvent => ({ type: "ask.mismatched", key, detail: "other" });
const TWIN: AskEvent = { type: "ask.joined", key: "k2" };
const elsewhere: Outcome = {
  type: "answered-elsewhere",
  actor: { type: "person", surface: "terminal" },
  at: 5,
  answers: [{ picks: [1] }],
};
const overtaken: Outcome = { ...elsewhere, type: "overtaken", lost: answered({ picks: [0] }) };
const ended = (key = "k1", outcome = elsewhere): AskEvent => ({ type: "ask.ended", key, outcome });
const withdrawn: Outcome = {
  type: "withdrawn",
  actor: { type: "system", surface: "agent" },
  at: 6,
  reason: "moved-on",
};
const CLOSED: AskEvent = { type: "ask.closed", outcome: withdrawn };

/** Applies the events one after the other, at 1, 2, 3 … */
function after(...events: AskEvent[]): Ask {
  let ask: Ask | undefined;
  for (const [i, event] of [CAPTURED, ...events].entries()) ask = applyAskEvent(ask, event, { id: "a1", at: i + 1 });
  return ask!;
}

describe("capture", () => {
  test("[L1] a captured question is an open Ask with one waiting delivery", () => {
    expect(after()).toEqual({
      id: "a1",
      version: 1,
      kind: "question",
      state: "open",
      questions: [database],
      origin,
      deliveries: [{ key: "k1", state: "waiting", channel: "race" }],
      createdAt: 1,
      updatedAt: 1,
    });
  });

  test("[L2] the same capture again changes nothing", () => {
    const ask = after();
    expect(applyAskEvent(ask, { ...CAPTURED, key: "other" }, { id: "a1", at: 9 })).toBe(ask);
  });

  test("[L3] an event for an Ask that does not exist is an error", () => {
    expect(() => applyAskEvent(undefined, SETTLED, { id: "a1", at: 1 })).toThrow(
      "event ask.settled for unknown ask a1",
    );
  });
});

describe("deliveries", () => {
  test("[L4] a twin joins as a second delivery over the same channel, once", () => {
    const ask = after(TWIN, TWIN);
    expect(ask.deliveries).toEqual([
      { key: "k1", state: "waiting", channel: "race" },
      { key: "k2", state: "waiting", channel: "race" },
    ]);
    expect(ask.version).toBe(3);
  });

  test("[L5] an id that came late takes the place of the nameless delivery, with its hold", () => {
    const held: AskEvent = { type: "ask.held", key: "k1", hold: "h1", channel: "race", racing: true };
    const ask = after(held, { type: "ask.joined", key: "toolu", replaces: "k1" });
    expect(ask.deliveries).toEqual([{ key: "toolu", state: "waiting", channel: "race", hold: "h1", racing: true }]);
    expect(after({ type: "ask.joined", key: "toolu", replaces: "nobody" }).deliveries).toHaveLength(1);
    const both = after(TWIN, { type: "ask.joined", key: "k2", replaces: "k1" });
    expect(both.deliveries.map(({ key }) => key)).toEqual(["k1", "k2"]);
  });

  test("[L6] joining adds to the origin but never changes whose Ask it is", () => {
    const ask = after({ type: "ask.joined", key: "k1", origin: { agent: "other", cwd: "/x", turn: "t" } });
    expect(ask.origin).toEqual({ ...origin, cwd: "/x", turn: "t" });
  });

  test("[L7] a hold is noted, its release keeps the reason, the next hold clears it", () => {
    const held = (hold: string): AskEvent => ({ type: "ask.held", key: "k1", hold, channel: "hold", racing: false });
    const released: AskEvent = { type: "ask.released", key: "k1", hold: "h1", reason: "deadline" };
    expect(after(held("h1")).deliveries[0]).toMatchObject({ hold: "h1", channel: "hold", racing: false });
    expect(after(held("h1"), released).deliveries[0]).toMatchObject({ hold: "h1", released: "deadline" });
    expect(after(held("h1"), released, held("h2")).deliveries[0]).toMatchObject({ hold: "h2", released: undefined });
    expect(after(held("h1"), released).state).toBe("open");
  });

  test("[L8] what the agent said before the question may come later", () => {
    expect(after({ type: "ask.context", lastText: "Let me ask." }).origin).toEqual({
      ...origin,
      lastText: "Let me ask.",
    });
  });
});

describe("state", () => {
  test.each([
    ["settled", [SETTLED]],
    ["delivered", [SETTLED, sent()]],
    ["verified", [SETTLED, sent(), verified()]],
    ["verified", [SETTLED, verified()]],
    ["mismatched", [SETTLED, sent(), mismatched()]],
    ["closed", [ended()]],
    ["closed", [CLOSED]],
    ["closed", [SETTLED, sent(), ended("k1", overtaken)]],
    ["settled", [TWIN, SETTLED, sent()]],
    ["settled", [TWIN, SETTLED, verified()]],
    ["delivered", [TWIN, SETTLED, sent(), sent("k2"), verified()]],
    ["mismatched", [TWIN, SETTLED, verified(), mismatched("k2")]],
    ["verified", [TWIN, SETTLED, verified(), verified("k2")]],
    ["verified", [TWIN, SETTLED, verified(), ended("k2", overtaken)]],
    ["open", [TWIN, ended()]],
    ["closed", [TWIN, ended(), ended("k2")]],
    ["settled", [TWIN, ended(), SETTLED]],
    ["verified", [TWIN, ended(), SETTLED, verified("k2")]],
  ] as [Ask["state"], AskEvent[]][])("[L9] the least finished delivery decides: %s after %j", (state, events) => {
    expect(after(...events).state).toBe(state);
  });

  test("[L10] sending and confirming keep their times and what the agent's record said", () => {
    expect(after(SETTLED, sent(), verified()).deliveries[0]).toEqual({
      key: "k1",
      state: "verified",
      channel: "race",
      sentAt: 3,
      confirmedAt: 4,
      detail: "read",
    });
    expect(after(SETTLED, mismatched()).deliveries[0]).toMatchObject({ confirmedAt: 3, detail: "other" });
  });

  test("[L11] the time of settling is the first moment the Ask was not open", () => {
    expect(after().settledAt).toBeUndefined();
    expect(after(TWIN, SETTLED, sent(), verified()).settledAt).toBe(3);
    expect(after(CLOSED).settledAt).toBe(2);
  });
});

describe("outcome", () => {
  test("[L12] an Ask is settled once", () => {
    const late = { ...answered({ picks: [1] }), actor: { ...PERSON, surface: "web" } };
    expect(after(SETTLED, { type: "ask.settled", outcome: late }).outcome).toEqual(answered({ picks: [0] }));
    expect(after(SETTLED, ended()).outcome).toEqual(answered({ picks: [0] }));
    expect(after(SETTLED, CLOSED).outcome).toEqual(answered({ picks: [0] }));
    expect(after(ended(), SETTLED).outcome).toEqual(elsewhere);
  });

  test("[L13] a twin answered in the terminal leaves the Ask open for the other", () => {
    const ask = after(TWIN, ended());
    expect(ask.outcome).toBeUndefined();
    expect(ask.deliveries.map(({ state }) => state)).toEqual(["ended", "waiting"]);
    expect(after(TWIN, ended(), ended("k2", { ...elsewhere, at: 9 })).outcome).toEqual({ ...elsewhere, at: 9 });
  });

  test("[L14] an Ask is overtaken when the terminal was first everywhere", () => {
    expect(after(SETTLED, ended("k1", overtaken)).outcome).toEqual(overtaken);
    expect(after(TWIN, SETTLED, ended("k1", overtaken)).outcome?.type).toBe("answered");
    expect(after(TWIN, SETTLED, ended("k1", overtaken), ended("k2", overtaken)).outcome?.type).toBe("overtaken");
  });

  test("[L15] closing ends what still waits and keeps the verdicts there are", () => {
    const ask = after(TWIN, ended(), CLOSED);
    expect(ask.outcome).toEqual(withdrawn);
    expect(ask.deliveries.map(({ state }) => state)).toEqual(["ended", "ended"]);
  });
});

describe("any history", () => {
  const key = fc.constantFrom("k1", "k2", "k3", "unknown");
  const outcome = fc.constantFrom(answered({ picks: [0] }), elsewhere, overtaken, withdrawn);
  const event: fc.Arbitrary<AskEvent> = fc.oneof(
    fc.constant(CAPTURED),
    fc.record({ type: fc.constant("ask.joined"), key }),
    fc.record({ type: fc.constant("ask.joined"), key, replaces: key }),
    fc.record({ type: fc.constant("ask.context"), lastText: fc.string() }),
    fc.record({ type: fc.constant("ask.held"), key, hold: key, channel: fc.constant("race"), racing: fc.boolean() }),
    fc.record({ type: fc.constant("ask.released"), key, hold: key, reason: fc.constant("signal") }),
    fc.record({
      type: fc.constant("ask.autopilot"),
      state: fc.constantFrom(...AUTOPILOT_STATES),
      why: fc.constant("w"),
      steps: fc.constant<never[]>([]),
    }),
    fc.record({ type: fc.constant("ask.settled"), outcome }),
    fc.record({ type: fc.constant("ask.sent"), key, channel: fc.constant("race") }),
    fc.record({ type: fc.constant("ask.verified"), key }),
    fc.record({ type: fc.constant("ask.mismatched"), key, detail: fc.constant("d") }),
    fc.record({ type: fc.constant("ask.ended"), key, outcome }),
    fc.record({ type: fc.constant("ask.closed"), outcome }),
  );

  test("[L16] every event is taken, and every one after the capture adds one to the version", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const taken = events.filter(({ type }) => type !== "ask.captured");
        expect(after(...events).version).toBe(taken.length + 1);
      }),
    );
  });

  test("[L17] a delivery never leaves its verdict, and no two have the same key", () => {
    const done = new Set(["verified", "mismatched", "ended"]);
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let ask = after();
        for (const step of events) {
          const next = applyAskEvent(ask, step, { id: "a1", at: 1 });
          const keys = next.deliveries.map((d) => d.key);
          expect(new Set(keys).size).toBe(keys.length);
          for (const [i, d] of ask.deliveries.entries())
            if (done.has(d.state)) expect(next.deliveries[i]?.state).toBe(d.state);
          ask = next;
        }
      }),
    );
  });

  test("[L18] an outcome stays, but for the agent saying that the terminal was first", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let ask = after();
        for (const step of events) {
          const next = applyAskEvent(ask, step, { id: "a1", at: 1 });
          if (ask.outcome && next.outcome !== ask.outcome) expect(next.outcome?.type).toBe("overtaken");
          ask = next;
        }
      }),
    );
  });
});

describe("sessions", () => {
  const seen = (session: Partial<Session>, at: number, before?: Parameters<typeof applySessionEvent>[0]) =>
    applySessionEvent(before, { type: "session.seen", session }, { id: "s1", at });

  test("[L19] what is seen of a session adds up; its name, agent and start stay", () => {
    const first = seen({ agent: "claude-code", cwd: "/x" }, 10);
    expect(first).toEqual({ id: "s1", agent: "claude-code", cwd: "/x", startedAt: 10, seenAt: 10 });
    expect(seen({ id: "other", startedAt: 99, mode: "plan" }, 20, first)).toEqual({
      id: "s1",
      agent: "claude-code",
      cwd: "/x",
      mode: "plan",
      startedAt: 10,
      seenAt: 20,
    });
    expect(seen({}, 5)).toEqual({ id: "s1", agent: "unknown", startedAt: 5, seenAt: 5 });
  });

  test("[L20] an ended session that is seen again lives", () => {
    const first = seen({ agent: "claude-code" }, 10);
    const over = applySessionEvent(first, { type: "session.ended", reason: "exit" }, { id: "s1", at: 20 });
    expect(over).toMatchObject({ endedAt: 20, endReason: "exit" });
    expect(seen({}, 30, over)).toEqual({ ...first, seenAt: 30 });
  });
});
