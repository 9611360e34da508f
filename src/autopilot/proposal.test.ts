import { expect, test } from "bun:test";
import { askOf, delivery, PERSON } from "../../test/sample.ts";
import type { Actor } from "../core/ask/outcome.ts";
import type { Proposal } from "../core/ask/proposal.ts";
import { settle } from "../core/ask/settle.ts";
import { accepted, isAnswerable, proposalOf, settlementOf, undone } from "./proposal.ts";

const RULE: Actor = { type: "rule", surface: "autopilot", name: "r" };
const proposal: Proposal = { action: "answer", answers: [{ picks: [1] }], by: RULE, reason: "w" };
const approval = askOf({
  kind: "approval",
  questions: [
    {
      text: "Run it?",
      header: "Bash",
      multiSelect: false,
      options: [{ label: "Yes", description: "", recommended: false, effect: "allow" }],
    },
  ],
});

test("[AU12] Parley's own questions, and what only a terminal can answer, are nothing for it", () => {
  const by = (channel: string, origin = askOf().origin) =>
    isAnswerable(askOf({ deliveries: [delivery({ channel })], origin }));
  expect(["race", "hold", "fetch", "self", "none"].map((channel) => by(channel))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(by("self", { agent: "claude-code", task: "t1" })).toBe(true);
});

test("[AU13] a rule settles an approval only where it is the person's own and names the kind; a brain never does", () => {
  const answer = { action: "answer" as const, answers: [{ picks: [0] }] };
  const by = (actor: Actor) => () => settle(approval, answer, actor, 1);
  expect(by({ ...RULE, kind: "approval" })()).toMatchObject({ outcome: { type: "answered" } });
  for (const actor of [
    RULE,
    { ...RULE, kind: "plan" },
    { ...RULE, surface: "api", kind: "approval" },
    { type: "brain", surface: "autopilot", name: "b", kind: "approval" } as Actor,
  ])
    expect(by(actor)).toThrow("Only a person may settle an approval");
});

test("[AU14] what does not answer the questions is no proposal; a warning goes with the answer as a note", () => {
  expect(proposalOf(askOf(), { action: "answer", answers: [{ picks: [7] }] }, RULE, { reason: "w" })).toBeUndefined();
  expect(proposalOf(askOf(), { action: "answer", answers: [] }, RULE, { reason: "w" })).toBeUndefined();
  const warned = settlementOf(askOf(), { ...proposal, warning: "planning missed it" });
  expect(warned).toMatchObject({ answers: [{ picks: [1], note: "planning missed it" }], reason: "w" });
});

test("[AU15] only what is proposed can be accepted, only what is on its way taken back, and nothing that is settled", () => {
  const at = (state: "held" | "human", more = {}) => askOf({ autopilot: { state, at: 1, why: "w", ...more } });
  expect(accepted(at("held", { proposal }), PERSON, 5)).toMatchObject({
    outcome: { actor: PERSON, answers: [{ picks: [1] }] },
  });
  expect(() => accepted(at("human"), PERSON, 5)).toThrow("Nothing is proposed");
  expect(undone(at("held", { proposal }), PERSON, 5)).toMatchObject({ state: "undone", actor: PERSON });
  expect(() => undone(at("human"), PERSON, 5)).toThrow("nothing to undo");
  const settled = askOf({ outcome: { type: "declined", actor: PERSON, at: 1 } });
  expect(() => accepted(settled, PERSON, 5)).toThrow("Already settled");
  expect(() => undone(settled, PERSON, 5)).toThrow("Already settled");
});
