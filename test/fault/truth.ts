import type { Answer } from "../../src/core/ask/answer/answer.ts";
import type { Ask } from "../../src/core/ask/ask.ts";
import { AskEvent, type LogEvent } from "../../src/core/ask/event.ts";
import { applyAskEvent } from "../../src/core/ask/lifecycle.ts";
import type { Outcome } from "../../src/core/ask/outcome.ts";
import type { Entry } from "./agent.ts";
import type { Result } from "./fake-record.ts";
import { type Unseen, whyUnseen } from "./unseen.ts";

/** One attempt to answer through the API; `acknowledged`: the daemon said that it is done. */
export type Said = { ask: string; label: string; acknowledged: boolean };
export const DECLINED = "declined";
/** What every agent did, what everybody was told, and what Parley says of it. */
export type Evidence = { journals: Map<string, Entry[]>; said: Said[]; asks: Ask[]; events: LogEvent[] };
/** `unseen`: why a question never reached a daemon; its dialog worked as if Parley were not installed. */
export type Findings = { asks: number; unseen: Unseen[]; lost: string[]; doubled: string[]; untrue: string[] };

type Story = {
  key: string;
  question: string;
  took: Result | undefined;
  recorded: boolean;
  /** Decisions that hooks of this question printed. */ printed: string[];
  told: string[];
};

/** Z1 to Z5: compares the agents' own records, which no kill of Parley can touch, with the store. */
export function examine({ journals, said, asks, events }: Evidence): Findings {
  const findings: Findings = { asks: asks.length, unseen: [], lost: [], doubled: [], untrue: [] };
  for (const [session, journal] of journals)
    for (const story of storiesIn(journal)) {
      const mine = asks.filter((ask) => ask.origin.session === session && ask.questions[0]?.text === story.question);
      const [ask] = mine;
      if (story.printed.length > 1) findings.doubled.push(`${story.question}: printed ${story.printed.join(" and ")}`);
      if (!ask) findings.unseen.push(whyUnseen(journal, story.key));
      if (mine.length > 1)
        findings.untrue.push(`${story.question}: several asks for one question: ${mine.map(brief).join(" and ")}`);
      if (!ask) continue;
      const told = story.told.filter((text) => text.includes(`[parley ${ask.id}]`));
      const got = told.length + (story.recorded && story.took?.by === "hook" ? 1 : 0);
      if (got > 1) findings.doubled.push(`${story.question}: the agent got it ${got} times`);
      const problem = untruth(ask, { ...story, told }, wasSettled(ask.id));
      if (problem !== undefined)
        findings.untrue.push(`${story.question}: ${problem}; the agent ${JSON.stringify(story)}; Parley ${brief(ask)}`);
    }
  for (const ask of asks) {
    const acknowledged = said.filter((attempt) => attempt.ask === ask.id && attempt.acknowledged);
    for (const { label } of acknowledged)
      if (![ask.outcome, ask.outcome?.lost].some((outcome) => outcome && labelOf(ask, outcome) === label))
        findings.lost.push(`${ask.id}: ${label} was acknowledged, ${brief(ask)}`);
    const settled = events.filter(({ ask: id, type }) => id === ask.id && type === "ask.settled").length;
    if (settled > 1) findings.doubled.push(`${ask.id}: settled ${settled} times`);
  }
  const strangers = said.filter(({ ask, acknowledged }) => acknowledged && !asks.some(({ id }) => id === ask));
  findings.lost.push(...strangers.map(({ ask }) => `${ask}: acknowledged, and not there`));
  findings.untrue.push(...notReplayed(asks, events));
  return findings;

  function wasSettled(id: string): boolean {
    return events.some(({ ask, type }) => ask === id && type === "ask.settled");
  }
}

/** Nothing more can happen to it without its agent, or the script that asked. */
export function isQuiet(ask: Ask, journal: readonly Entry[]): boolean {
  if (ask.origin.session === undefined) return true;
  if (["verified", "mismatched", "closed"].includes(ask.state)) return true;
  const story = storiesIn(journal).find(({ question }) => question === ask.questions[0]?.text);
  const told = story?.told.some((text) => text.includes(`[parley ${ask.id}]`));
  return ask.outcome !== undefined && !story?.recorded && !told;
}

function storiesIn(journal: readonly Entry[]): Story[] {
  const told = journal.flatMap((entry) => (entry.event === "told" ? [entry.text] : []));
  return journal.flatMap((asked): Story[] => {
    if (asked.event !== "asked") return [];
    const of = journal.filter((entry) => "key" in entry && entry.key === asked.key);
    const printed = of.flatMap((entry) => (entry.event === "output" && entry.stdout !== "" ? [entry.stdout] : []));
    const took = of.find((entry) => entry.event === "took");
    const recorded = of.some((entry) => entry.event === "recorded");
    return [{ key: asked.key, question: asked.question, took: took?.result, recorded, printed, told }];
  });
}

/** Undefined: the Ask says exactly what its agent did. */
function untruth(ask: Ask, { took, recorded, told }: Story, settled: boolean): string | undefined {
  const { state, outcome } = ask;
  if (!outcome) return "it never ended";
  const label = labelOf(ask, outcome);
  const must = (...wanted: [boolean, string][]) => wanted.find(([is]) => !is)?.[1];
  if (told.length > 0) return must([state === "verified", "the resumed session was told"]);
  if (!took || !recorded) {
    const reported = took && outcome.type === "answered-elsewhere" && label === labelIn(took);
    if (settled) return must([["settled", "delivered"].includes(state), "its answer is still owed"]);
    return must([state === "closed" && (reported || outcome.type === "withdrawn"), "its agent is gone"]);
  }
  if (took.by === "hook")
    return must([state === "verified", "the agent took ours"], [label === labelIn(took), "of another wording"]);
  const inTerminal = "escape" in took ? "declined" : "answered-elsewhere";
  return must(
    [state === "closed", "the agent took the terminal's"],
    [outcome.type === (settled ? "overtaken" : inTerminal), `settled: ${settled}`],
    ["escape" in took || label === labelIn(took), "of another wording"],
  );
}

/** Z6: the log alone gives what the store says. */
export function notReplayed(asks: readonly Ask[], events: readonly LogEvent[]): string[] {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
  return asks.flatMap((ask) => {
    const own = events.filter((event) => event.ask === ask.id);
    const replayed = own.reduce<Ask | undefined>(
      (so, { data, at }) => applyAskEvent(so, AskEvent.parse(data), { id: ask.id, at }),
      undefined,
    );
    return Bun.deepEquals(plain(replayed), plain(ask))
      ? []
      : [`${ask.id}: its events give ${JSON.stringify(replayed)}`];
  });
}

function labelIn(took: Result): string {
  if ("label" in took) return took.label;
  return DECLINED;
}

export function labelOf(ask: Ask, { type, answers, reason }: Outcome): string | undefined {
  if (type === "declined" || reason === "declined") return DECLINED;
  const picked = (answer: Answer | undefined) => ask.questions[0]?.options[answer?.picks[0] ?? -1]?.label;
  return picked(answers?.[0]);
}

function brief({ id, state, outcome, deliveries }: Ask): string {
  return JSON.stringify({ id, state, outcome, deliveries });
}
