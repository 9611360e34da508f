import { expect, test } from "bun:test";
import { join } from "node:path";
import { AGENTS, CASES, proofTable, type Run, runsOf } from "../scripts/proof.ts";
import { GAPS } from "./agents/proof/gaps.ts";
import { root } from "./rules.ts";

const run = (over: Partial<Run>): Run => ({
  case: "single",
  agent: "pi",
  version: "1.0.0",
  seed: 7,
  date: "2026-01-01",
  commit: "abc",
  asked: "?",
  answer: "!",
  received: ["!"],
  outcome: ["verified"],
  ...over,
});

test("[PT2] the proof table is what the stored runs say, and no cell is without a run or a reason", async () => {
  const page = await Bun.file(join(root, "docs/conformance.md")).text();
  const { text, lacking } = proofTable(GAPS);
  expect(lacking).toEqual([]);
  expect(page).toEndWith(`\n${text}\n`);
});

test("[PT3] each stored run names its agent's version, its seed, what was asked and what the model received", () => {
  for (const agent of Object.keys(AGENTS) as (keyof typeof AGENTS)[])
    for (const stored of runsOf(agent)) {
      const { version, seed, date, commit, asked, answer, received, outcome } = stored;
      const about = `${agent} × ${stored.case}`;
      expect([about, stored.agent, stored.case in CASES]).toEqual([about, agent, true]);
      expect([about, version, date]).toEqual([
        about,
        expect.stringMatching(/^\d+\.\d+\.\d+$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ]);
      expect([about, Number.isSafeInteger(seed), commit !== "" && asked !== "" && answer !== ""]).toEqual([
        about,
        true,
        true,
      ]);
      expect([about, received.length > 0, outcome.length > 0]).toEqual([about, true, true]);
      for (const text of [asked, answer, ...received, ...outcome])
        expect(text).not.toMatch(/\/tmp\/|\/home\/|\/root\//);
    }
});

test("[PT4] a cell with neither a run nor a reason is named; a run is linked by its line", () => {
  const { text, lacking } = proofTable({ pi: { multi: "it has none" } }, (agent) => (agent === "pi" ? [run({})] : []));
  expect(text).toContain("[7](proof/pi.jsonl#L1)");
  expect(text).toContain("- (1) it has none");
  expect(lacking).not.toContain("pi × single");
  expect(lacking).not.toContain("pi × multi");
  expect(lacking).toContain("pi × several");
  expect(lacking).toContain("codex × single");
});
