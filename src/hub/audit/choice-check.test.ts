import { expect, test } from "bun:test";
import { answerText } from "../../core/hub-approval.ts";
import { type AuditEvent, type AuditFacts, sha256 } from "../../store/hub/chain.ts";
import { keptHalves } from "../../store/hub/kept/kept-halves.ts";
import { createChoiceCheck } from "./choice-check.ts";

const YES = { action: "answer" as const, answers: [{ picks: [0] }] };
const NO = { action: "answer" as const, answers: [{ picks: [1] }] };

test("[TP15] a signature of one person that an earlier version kept is compared by what its log says, and not missed where there is none", async () => {
  const [answer, response] = [sha256(answerText(YES)), { id: "k", response: {} }];
  const proof = { passkey: "k", signature: JSON.stringify(response) };
  const facts: AuditFacts = { record: "intent m 1", machine: "m", n: 1, ask: "a", shown: "s", answer, ...proof };
  const signed = JSON.stringify({ passkey: "k", shown: "s", answer, response });
  const row = { machine: "m", ask: "a", member: "ada", n: 1, settlement: JSON.stringify(YES), shown: "s", answer };
  async function problemsOf(stored: object[]): Promise<string[]> {
    const problems: string[] = [];
    const say = (seq: number, kind: string, record: string) => void problems.push(`${seq} ${kind} ${record}`);
    const check = createChoiceCheck();
    const event: AuditEvent = {
      seq: 3,
      at: 1,
      kind: "ask.answered",
      by: "ada",
      facts,
      digest: null,
      prev: "",
      hash: "",
    };
    check.see(event);
    const kept = await keptHalves(
      async () => stored as never,
      () => "a digest that this log has not",
    );
    for (const each of kept) check.look(each, say);
    check.end(new Set(["intent m 1", ...kept.map(({ record }) => record)]), 0, say);
    return problems;
  }
  expect(await problemsOf([])).toEqual([]);
  expect(await problemsOf([{ ...row, signed }])).toEqual([]);
  for (const changed of [
    { settlement: JSON.stringify(NO) },
    { settlement: JSON.stringify(NO), answer: sha256(answerText(NO)) },
    { shown: "another" },
    { signed: null },
    { signed: signed.replace('"response":{}', '"response":{"more":1}') },
  ])
    expect(await problemsOf([{ ...row, signed, ...changed }])).toEqual(["3 record half m a ada 1"]);
});
