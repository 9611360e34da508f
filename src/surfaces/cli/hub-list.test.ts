import { expect, test } from "bun:test";
import { answered, askOf } from "../../../test/sample.ts";
import type { HubAskView } from "../../protocol/hub/hub.ts";
import { hubLines } from "../terminal/hub-lines.ts";
import { linesOf, saidOf } from "./hub-list.ts";

const NOW = 1_000_000;
const view = (more: Partial<HubAskView> = {}): HubAskView => ({
  ...askOf(),
  agentTitle: "Claude Code",
  sentence: "✓ answered by cli: SQLite",
  reachable: true,
  machine: { id: "m1", name: "laptop", online: true },
  ...more,
});
const intent = (state: "sent" | "received" | "withdrawn" | "overtaken", detail?: string) => ({
  intent: { state, member: "Ann", at: NOW - 3000, ...(detail !== undefined && { detail }) },
});
const claim = { claim: { id: "bob", member: "Bob", at: 0, until: NOW + 60_000 } };
const half = { member: "Bob", id: "bob", at: 0, settlement: { action: "answer" as const, answers: [{ picks: [0] }] } };
const route = {
  route: {
    steps: [{ type: "member", name: "Bob" }],
    step: 0,
    reminded: false,
    people: [{ id: "bob", member: "Bob" }],
    since: 0,
    next: NOW + 13_000,
  },
};

test("[HX12] after an answer that came to nothing ls --hub says why, and whose the question is", () => {
  const failed = intent("withdrawn", "Taken back by Ann");
  const why = "✗ Ann's answer came to nothing on laptop: Taken back by Ann";
  expect(saidOf(view({ ...failed, ...claim }), NOW)).toEqual(["Bob is on it, for 60 s", why]);
  expect(saidOf(view({ ...failed, ...route }), NOW)).toEqual(["asked of Bob; goes on in 13 s", why]);
  expect(saidOf(view({ ...failed, halves: [half] }), NOW)).toEqual([
    "1 of 2: Bob chose SQLite; another approver is needed",
    why,
  ]);
  expect(saidOf(view({ ...intent("sent"), ...claim }), NOW)).toEqual(["… Ann answered 3 s ago; on its way to laptop"]);
  expect(saidOf(view(), NOW)).toEqual([]);
});

test("[HX12] of a settled question ls --hub says how it was settled, not whose answer came to nothing before", () => {
  const over = { state: "closed" as const, outcome: answered({ picks: [0] }) };
  for (const state of ["withdrawn", "overtaken"] as const)
    expect(saidOf(view({ ...intent(state), ...over }), NOW)).toEqual(["✓ answered by cli: SQLite"]);
  expect(saidOf(view({ ...intent("received"), ...over }), NOW)).toEqual(["✓ Ann answered 3 s ago; received by laptop"]);
});

test("[HX13] what a question needs is said again after an answer that came to nothing; it does not go on while somebody is on it", () => {
  const needs = { needs: { two: false, signed: true } };
  const lines = hubLines(view({ ...needs, ...claim, ...route, ...intent("withdrawn") }), NOW);
  expect(lines).toEqual([
    "On laptop",
    "It needs a signature, on the hub's page",
    "Bob is on it, for 60 s",
    "asked of Bob",
    "✗ Ann's answer came to nothing on laptop",
  ]);
  expect(hubLines(view({ ...needs, ...intent("sent") }), NOW).join()).not.toContain("It needs");
});

test("[HX16] ages of different length stand in one column", () => {
  const plain = (text: string) => text;
  const style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };
  const asks = [view({ createdAt: NOW - 29_000 }), view({ createdAt: NOW - 2000 })];
  const starts = linesOf(asks, { width: 100, style }, NOW)
    .split("\n")
    .filter(Boolean)
    .map((line) => line.indexOf("laptop:"));
  expect(starts).toEqual([14, 14]);
});
