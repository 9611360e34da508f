import { expect, test } from "bun:test";
import type { AuditEvent, AuditFacts } from "../../store/hub/chain.ts";
import { createApprovalCheck } from "./approvals.ts";

test("[TP11] who chose the same for another question is no second one: audit verify names the answer", () => {
  const problemsOf = (shown: string) => {
    const problems: string[] = [];
    const check = createApprovalCheck((seq, kind) => void problems.push(`${seq} ${kind}`));
    const about = { machine: "m", ask: "a", kind: "approval", project: null, stakes: "", answer: "yes" };
    const events: [string, string, AuditFacts][] = [
      ["policy.made", "host", { record: "policy p", two: true, signed: false, project: null, of: null, stake: null }],
      ["ask.chosen", "ada", { ...about, shown }],
      ["ask.answered", "bob", { ...about, shown: "as it is", with: "ada" }],
    ];
    const rest = { at: 1, digest: null, prev: "", hash: "" };
    for (const [i, [kind, by, facts]] of events.entries()) {
      const event: AuditEvent = { ...rest, seq: i + 1, kind, by, facts };
      check.see(event);
    }
    return problems;
  };
  expect(problemsOf("as it is")).toEqual([]);
  expect(problemsOf("as it was")).toEqual(["3 alone"]);
});
