import type { Answer } from "../ask/answer/answer.ts";
import type { Ask, Delivery } from "../ask/ask.ts";
import type { Question } from "../ask/question.ts";
import { safeLine } from "../text/text.ts";

type Mismatch = {
  question: string;
  intended: string;
  /** As people call it. */
  agent: string;
  received: string;
  key: string;
};

/** What a decider is told when the agent received something else than it had decided. */
export function mismatchText({ question, intended, agent, received, key }: Mismatch): string {
  const facts = {
    Question: question,
    "You intended": intended,
    [`${agent} received`]: received,
    tool_use_id: key,
  };
  const line = Object.entries(facts).map(([name, value]) => `**${name}:** ${safeLine(value, { max: 500 })}`);
  return `## AskUserQuestion Verification — MISMATCH\n${line.join("   ")}\n\n${adviceAfter(agent)}`;
}

/** For whoever decides next in this session. */
export const adviceAfter = (agent: string) =>
  `Your answer was not submitted correctly. On the next AskUserQuestion, use "Chat about this" or "Type something" to correct this with ${safeLine(agent, { max: 40 })} before answering the new question.`;

/** The texts for an Ask: one for each place in the agent that received something else. */
export function mismatchesOf({ questions, outcome, deliveries }: Ask, agent: string): string[] {
  const intended = outcome?.message ?? questions.map((each, i) => intentOf(each, outcome?.answers?.[i])).join("; ");
  const question = questions.map(({ text }) => text).join(" / ");
  return deliveries
    .filter(({ state }) => state === "mismatched")
    .map((delivery) => mismatchText({ question, intended, agent, received: receivedBy(delivery), key: delivery.key }));
}

/** Options counted from 0, as a decider counts them. */
function intentOf({ options }: Question, answer: Answer = { picks: [] }): string {
  const { picks, text } = answer;
  const labels = picks.map((pick) => options[pick]?.label ?? "").join(", ");
  const chosen = picks.length === 0 ? [] : [`option${picks.length > 1 ? "s" : ""} ${picks.join(", ")} (${labels})`];
  return [...chosen, ...(text === undefined ? [] : [`text ${JSON.stringify(text)}`])].join(" and ") || "nothing";
}

/** The choice out of `sent "a", received "b"; sent note …`, as `compareAnswer` words it; anything else is told as it is. */
function receivedBy({ detail = "" }: Delivery): string {
  const received = new RegExp(`^sent ${LISTED}, received (${LISTED})(; sent note .*)?$`, "s").exec(detail)?.[1];
  if (received === undefined) return detail;
  return received.replaceAll(new RegExp(QUOTED, "g"), (quoted) => JSON.parse(quoted) as string);
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const LISTED = `(?:nothing|${QUOTED}(?:, ${QUOTED})*)`;
