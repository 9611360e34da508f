import { expect, test } from "bun:test";
import type { Actor } from "../../src/core/ask/outcome.ts";
import type { AskView } from "../../src/protocol/view.ts";
import { asCsv } from "../../src/surfaces/web/page/history/history-export.ts";
import { inOrder } from "../../src/surfaces/web/page/history/in-order.ts";
import { numbersOf } from "../../src/surfaces/web/page/history/history-numbers.ts";
import { searchable } from "../../src/surfaces/web/page/history/search.ts";
import { askOf, question } from "../sample.ts";

const HOUR = 3_600_000;
const TODAY = Date.UTC(2026, 0, 15);

function settled(createdAt: number, waitMs: number, type: Actor["type"], text = "Which database?"): AskView {
  return {
    ...askOf({ questions: [question(text, ["SQLite", "PostgreSQL"])] }),
    createdAt,
    outcome: { type: "answered", actor: { type, surface: "web" }, at: createdAt + waitMs, answers: [{ picks: [0] }] },
    agentTitle: "Script",
    sentence: "",
    reachable: false,
  };
}

test("[WB43] the chart counts asks per day, the median wait and who answered", () => {
  const asks = [
    settled(TODAY + HOUR, 1000, "person"),
    settled(TODAY + 23 * HOUR, 9000, "person"),
    settled(TODAY - 1, 5000, "rule"),
    settled(TODAY - 25 * HOUR, 100_000, "system"),
    settled(TODAY - 40 * 24 * HOUR, 3000, "agent"),
  ];
  const { outcome: _outcome, ...open } = settled(TODAY, 0, "person");
  const { days, ...numbers } = numbersOf([...asks, open], TODAY, 3);
  expect(days.map((day) => [day.people, day.policy, day.other, day.open])).toEqual([
    [0, 0, 1, 0],
    [0, 1, 0, 0],
    [2, 0, 0, 1],
  ]);
  expect(numbers).toEqual({ medianWaitMs: 3000, people: 2, policy: 2, other: 1, open: 1 });
  expect(numbersOf([], TODAY, 3).medianWaitMs).toBeUndefined();
});

test("[VB13] the history is in the order of the time it shows: when each was settled", () => {
  const [late, early] = [settled(TODAY, 9 * HOUR, "person"), settled(TODAY + HOUR, HOUR, "person")];
  const { outcome: _outcome, ...open } = settled(TODAY, 0, "person");
  expect(inOrder([early, open, late])).toEqual([late, early]);
});

test("[WB69] the search finds who decided, where and why", () => {
  const ask = settled(TODAY, 1000, "rule");
  const actor = { type: "rule", name: "Night-Shift", surface: "autopilot" } as const;
  const outcome = { type: "answered", actor, at: TODAY, answers: [{ picks: [1], note: "For Now" }], reason: "Cheap" };
  const text = searchable({ ...ask, outcome } as AskView);
  for (const word of ["rule", "night-shift", "autopilot", "cheap", "postgresql", "for now"])
    expect(text).toContain(word);
  expect(searchable(ask)).not.toContain("night-shift");
});

test("[WB44] an exported cell is never a formula, and quotes and commas stay in their cell", () => {
  const rows = asCsv([
    settled(TODAY, 1000, "person", "=HYPERLINK(1)"),
    settled(TODAY, 1000, "person", '@SUM "a", b'),
  ]).split("\r\n");
  expect(rows).toHaveLength(4);
  expect(rows[1]).toContain(`,"'=HYPERLINK(1)",`);
  expect(rows[2]).toContain(`,"'@SUM ""a"", b",`);
});
