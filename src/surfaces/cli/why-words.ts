import { factsOf } from "../../core/ask/channel.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import { safeLine, safeText } from "../../core/text/text.ts";
import { messagedWords } from "../../core/words/messaged-words.ts";
import { outcomeWords } from "../../core/words/outcome/outcome-words.ts";
import { clock, duration } from "../../core/words/time.ts";
import type { AskView } from "../../protocol/view.ts";

/** How a question was settled, in five sentences: asked, waited, decided, handed over, proved. */
export function whyWords(ask: AskView, events: readonly LogEvent[], now: number): string[] {
  const { outcome } = ask;
  const told = messaged(events);
  if (!outcome) return [asked(ask), waited(ask, now), ...told, "Nobody has decided yet, so nothing was sent."];
  return [
    asked(ask),
    waited(ask, outcome.at),
    ...told,
    `It was ${outcomeWords(outcome, ask.questions)}.`,
    ...signedWords(outcome),
    ...(outcome.changed
      ? [`What was changed before it was allowed:\n${safeText(outcome.changed.diff, { max: 4000 })}`]
      : []),
    ...(ask.state === "closed" ? [NOT_OURS] : [handed(ask, events, outcome.at), proof(ask, events)]),
  ];
}

/** Whose passkeys signed exactly this. */
function signedWords({ actor: { signed = [] } }: NonNullable<AskView["outcome"]>): string[] {
  if (signed.length === 0) return [];
  const names = signed.map(({ name }) => safeLine(name, { max: 40 })).join(" and ");
  return [`${names} signed exactly this, by passkey; this machine checked it before it was sent.`];
}

/** Who was told, when and over what, and what came back. */
function messaged(events: readonly LogEvent[]): string[] {
  return events.flatMap(({ type, at, data }) => {
    if (type !== "ask.messaged") return [];
    const words = messagedWords(data as Parameters<typeof messagedWords>[0]);
    return [`${clock(at).slice(11)}: ${words}.`];
  });
}

/** The agent or its terminal ended it: there was nothing of ours to send. */
const NOT_OURS = "Parley learned of it from the agent, and had nothing of its own to send.";

function asked({ agentTitle, origin: { project, branch }, createdAt, questions, kind }: AskView): string {
  const where = project === undefined ? "" : ` in ${project}${branch === undefined ? "" : ` (${branch})`}`;
  const [first, ...more] = questions;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const what = kind === "question" ? "asked" : `asked (${kind})`;
  return safeLine(`${agentTitle} ${what}${where} on ${clock(createdAt)}: “${first?.text ?? ""}”${others}`, {
    max: 600,
  });
}

function waited({ createdAt, outcome, deliveries }: AskView, until: number): string {
  const beside = deliveries.some(({ racing }) => racing) ? ", here and in the agent's own dialog" : "";
  return `It ${outcome ? "waited" : "has waited"} ${duration(until - createdAt)} for a decision${beside}.`;
}

function handed({ deliveries }: AskView, events: readonly LogEvent[], from: number): string {
  const sent = events.findLast(({ type }) => type === "ask.sent");
  const channel = deliveries.find((delivery) => delivery.channel !== undefined)?.channel;
  if (sent) return `${duration(sent.at - from)} later: ${factsOf(channel)?.sent || "sent"}.`;
  const released = deliveries.find((delivery) => delivery.released !== undefined)?.released;
  const why = released === undefined ? "" : ` (${safeLine(released, { max: 200 })})`;
  return `Nobody has picked it up yet${why}: it is kept.`;
}

function proof({ state, deliveries, agentTitle }: AskView, events: readonly LogEvent[]): string {
  const detail = safeLine(deliveries.flatMap((delivery) => delivery.detail ?? []).join("; "), { max: 300 });
  const sent = events.findLast(({ type }) => type === "ask.sent");
  const confirmed = events.findLast(({ type }) => type === "ask.verified" || type === "ask.mismatched");
  const later = sent && confirmed ? ` ${duration(confirmed.at - sent.at)} later` : "";
  if (state === "mismatched") return `${agentTitle}'s own record${later} says something else: ${detail}`;
  if (state !== "verified") return "There is no proof of receipt yet.";
  const isRecord = deliveries.some(({ channel = "" }) => !["fetch", "self"].includes(channel));
  return isRecord ? `${agentTitle}'s own record held exactly that${later}.` : `The receipt: ${detail || "taken"}.`;
}
