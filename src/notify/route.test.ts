import { describe, expect, test } from "bun:test";
import { Config } from "../core/config/config.ts";
import type { Send, SendPlan } from "../store/ledger.ts";
import { admit, BURST_MS, routeFor, type Routed, turnsOf } from "./route.ts";

const NOON = new Date(2026, 5, 15, 12, 0).getTime();
const MINUTE = 60_000;
const settings = (notify: object = {}) => Config.parse({ notify }).notify;
const asked = (kind = "question", project = "shop", stakes: string[] = []): Routed => ({
  kind,
  project,
  stakes: () => stakes,
});
const row = (channel: string, state: Send["state"] = "due", plan: SendPlan = {}, ask = "a"): Send => ({
  ask,
  channel,
  state,
  attempts: 0,
  nextAt: NOON,
  ref: {},
  plan: { at: NOON, ...plan },
});
const turns = (rows: Send[], notify: object, now = NOON, idleMs?: number) =>
  turnsOf(rows, asked(), settings(notify), now, idleMs === undefined ? undefined : { idleMs, by: "tmux" }).map(
    ({ send, ms, why }) => [send.channel, ms / MINUTE, why],
  );

describe("routes", () => {
  const notify = settings({
    routes: [
      { messenger: "telegram", stakes: ["destructive"], project: ["Shop", "api"] },
      { messenger: "telegram", kind: "approval", when: "away" },
      { messenger: "ntfy", kind: ["plan", "approval"] },
      { messenger: "webhook", when: "never" },
    ],
  });
  test.each([
    ["desktop", asked(), "always"],
    ["telegram", asked(), undefined],
    ["telegram", asked("question", "shop", ["destructive"]), "always"],
    ["telegram", asked("question", "blog", ["destructive"]), undefined],
    ["telegram", asked("approval", "blog"), "away"],
    ["telegram", asked("approval", "SHOP", ["money", "destructive"]), "always"],
    ["ntfy", asked("plan"), "always"],
    ["ntfy", asked(), undefined],
    ["webhook", asked("approval"), undefined],
  ] as const)("[RO1] the first route of %s that matches counts; without one nothing goes there", (name, ask, when) => {
    expect(routeFor(notify, name, ask)?.when).toBe(when as never);
  });
});

test("[RO2] it is quiet for one messenger and not for the other; the hour of all counts too", () => {
  const routes = [{ messenger: "ntfy", quiet: "11:30-12:30" }];
  expect(turns([row("ntfy"), row("desktop")], { routes })).toEqual([
    ["ntfy", 30, "quiet until 12:30"],
    ["desktop", 0, ""],
  ]);
  expect(turns([row("ntfy")], { routes, quiet: "11:00-13:00" })).toEqual([["ntfy", 60, "quiet until 13:00"]]);
});

test("[RO3] one for who is away waits while somebody is at the desk; what cannot be measured holds up nobody", () => {
  const notify = { routes: [{ messenger: "telegram", when: "away" }], away_minutes: 5 };
  expect(turns([row("telegram")], notify, NOON, 2 * MINUTE)).toEqual([
    ["telegram", 3, "somebody is at the desk (tmux)"],
  ]);
  expect(turns([row("telegram")], notify, NOON, 5 * MINUTE)).toEqual([["telegram", 0, ""]]);
  expect(turns([row("telegram")], notify)).toEqual([["telegram", 0, ""]]);
  const gone = { routes: [{ messenger: "telegram", kind: "plan" }] };
  expect(turns([row("telegram")], gone)).toEqual([["telegram", Infinity, "no route leads there any more"]]);
});

describe("the ladder", () => {
  const notify = { ladder: ["desktop", "telegram", "ntfy"], next_minutes: 10 };
  const all = [row("ntfy"), row("telegram"), row("desktop"), row("webhook")];
  test("[RO4] one after the other; who is not on it is told at once", () => {
    expect(turns(all, notify)).toEqual([
      ["webhook", 0, ""],
      ["desktop", 0, ""],
      ["telegram", 10, "desktop comes first"],
      ["ntfy", 20, "telegram comes first"],
    ]);
  });
  test("[RO4] it counts from when the one before was told, whatever the clock did since", () => {
    const told = row("desktop", "sent", { told: NOON - 4 * MINUTE });
    expect(turns([told, row("telegram")], notify)).toEqual([["telegram", 6, "desktop comes first"]]);
    expect(turns([told, row("telegram")], notify, NOON + 6 * MINUTE)).toEqual([["telegram", 0, ""]]);
    const ahead = row("desktop", "sent", { told: NOON + 600 * MINUTE });
    expect(turns([ahead, row("telegram")], notify)).toEqual([["telegram", 10, "desktop comes first"]]);
  });
  test("[RO4] who could not be reached, or has its quiet, or is not used, is passed over", () => {
    expect(turns([row("desktop", "failed"), row("telegram")], notify)).toEqual([["telegram", 0, ""]]);
    expect(turns([row("telegram"), row("ntfy")], notify)).toEqual([
      ["telegram", 0, ""],
      ["ntfy", 10, "telegram comes first"],
    ]);
    const quiet = { ...notify, routes: [{ messenger: "desktop", quiet: "12:00-14:00" }] };
    expect(turns([row("desktop"), row("telegram")], quiet)).toEqual([
      ["desktop", 120, "quiet until 14:00"],
      ["telegram", 0, ""],
    ]);
  });
});

describe("a burst", () => {
  const due = (count: number, plan: SendPlan = {}, from = 0) =>
    Array.from({ length: count }, (_, i) => row("ntfy", "due", plan, `ask${from + i}`));
  const ids = (sends: readonly Send[]) => sends.map(({ ask }) => ask);
  const none = new Set<string>();

  test("[RO5] as many as may come, come; one more, and one comes for all of them", () => {
    const few = due(3);
    expect(ids(admit(few, few, none, 3, NOON).go)).toEqual(["ask0", "ask1", "ask2"]);
    const many = due(4);
    const { go, carrier, behind } = admit(many, many, none, 3, NOON);
    expect([ids(go), carrier?.ask, ids(behind)]).toEqual([["ask0"], "ask0", ["ask1", "ask2", "ask3"]]);
    expect(ids(admit(many, many, none, 0, NOON).go)).toHaveLength(4);
  });

  test("[RO5] who was told within the minute counts; who is behind comes when that message is over", () => {
    const told = due(3).map((send) => ({ ...send, state: "sent" as const, plan: { told: NOON - 1000 } }));
    const [next] = due(1, {}, 3);
    if (!next) throw new Error("none");
    expect(admit([next], [...told, next], none, 3, NOON).carrier?.ask).toBe("ask3");
    expect(admit([next], [...told, next], none, 3, NOON + BURST_MS).carrier).toBeUndefined();
    const first = row("ntfy", "sent", { told: NOON, carries: true }, "first");
    const counted = due(2, { behind: "first", counted: true });
    expect(admit(counted, [first, ...counted], none, 3, NOON + 10 * BURST_MS).go).toEqual([]);
    expect(ids(admit(counted, counted, none, 3, NOON).go)).toEqual(["ask0", "ask1"]);
  });

  test("[RO6] whatever comes when: each is told, or counted, or has a time at which it is looked at again", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 300; round++) {
      const burst = 1 + random(5);
      let now = NOON;
      let rows: Send[] = [];
      for (let step = 0; step < 30; step++) {
        now += random(40_000);
        rows = rows.filter(() => random(8) > 0);
        rows.push(...due(random(6), { at: now }, step * 10));
        const ready = rows.filter(({ state }) => state === "due");
        const { go, carrier, behind, ms } = admit(ready, rows, none, burst, now);
        const after = rows.map((send): Send => {
          if (go.includes(send)) {
            const plan = { told: now, ...(send === carrier && { carries: true as const }) };
            return { ...send, state: "sent", plan };
          }
          if (!behind.includes(send) || !carrier) return send;
          // The message is out, with their number; a carrier that was out before has not counted them.
          return { ...send, plan: { behind: carrier.ask, ...(go.length > 0 && { counted: true as const }) } };
        });
        const open = new Set(ids(after.filter(({ state, plan }) => state === "sent" && plan.carries)));
        for (const { state, plan } of after)
          if (state === "due") expect(plan.counted ? open.has(plan.behind ?? "") : ms < Infinity).toBe(true);
        const minute = after.filter(({ state, plan }) => state === "sent" && (plan.told ?? 0) > now - BURST_MS);
        expect(minute.length).toBeLessThanOrEqual(burst + 1);
        rows = after;
      }
    }
  });
});
