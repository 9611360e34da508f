import { type Chosen, connectHub } from "../../client/hub-client.ts";
import { askTitle } from "../../core/ask/title.ts";
import { intentOf, isAnswered, isClaimed } from "../../core/hub-ask.ts";
import { shortId } from "../../core/id.ts";
import { safeLine } from "../../core/text/text.ts";
import { NOTHING_WAITS } from "../../core/words/ask-words.ts";
import { askedOfWords, asleepWords, claimWords, halvesWords, intentWords } from "../../core/words/hub-words.ts";
import { ageOf } from "../../core/words/time.ts";
import type { HubAskView } from "../../protocol/hub/hub.ts";
import { fit } from "../terminal/columns.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { tellHubMismatches } from "./answering/hub-answers.ts";
import type { Context } from "./context.ts";
import { jsonLine } from "./json.ts";

type Given = Chosen & { all: boolean; limit?: number | undefined; json: boolean };
const LONGEST_LINE = 240;

/** What waits on every machine of the hub. */
export async function listHub({ all, json, ...chosen }: Given, context: Context): Promise<number> {
  const { terminal } = context;
  const hub = await connectHub(terminal.env);
  const asks = await hub.asks({ state: all ? "all" : "open", ...chosen });
  if (json) return (terminal.out(jsonLine({ asks })), 0);
  terminal.out(asks.length === 0 ? `${NOTHING_WAITS}.\n` : linesOf(asks, terminal, Date.now()));
  await tellHubMismatches(context, hub);
  return 0;
}

export function linesOf(asks: readonly HubAskView[], terminal: Pick<Terminal, "width" | "style">, now: number): string {
  const ages = asks.map(({ createdAt }) => ageOf(createdAt, now));
  const longest = Math.max(...ages.map((age) => age.length));
  return asks.map((ask, i) => line(ask, (ages[i] ?? "").padStart(longest), terminal, now)).join("");
}

function line(ask: HubAskView, age: string, { width, style }: Pick<Terminal, "width" | "style">, now: number): string {
  const { machine, origin } = ask;
  const asleep = asleepWords(machine, now);
  const away = asleep === "" ? "" : ` (${asleep})`;
  const most = Math.min(width, LONGEST_LINE);
  const project = safeLine(origin.project ?? ask.agentTitle, { max: 20 });
  const place = `${fit(`${safeLine(machine.name, { max: 20 })}${away}:${project}`, Math.floor(most / 2))}  `;
  const lead = `${style.bold(shortId(ask.id))}  ${style.dim(age)}  `;
  const left = most - Bun.stringWidth(`${shortId(ask.id)}  ${age}  ${place}`);
  const title = fit(safeLine(askTitle(ask), { max: LONGEST_LINE }), Math.max(1, left));
  const below = saidOf(ask, now).map((said) => `        ${style.dim(fit(said, most - 8))}\n`);
  return `${lead}${style.cyan(place)}${title}\n${below.join("")}`;
}

/** What became of it; of one that waits whose it is, and why an answer to it came to nothing. */
export function saidOf(ask: HubAskView, now: number): string[] {
  const { machine, intent, claim, halves, questions } = ask;
  if (ask.outcome || isAnswered(ask)) return [answered(ask, now)].filter((said) => said !== "");
  const who = claim && isClaimed(ask, now) ? claimWords(claim, now) : askedOfWords(ask, now);
  return [halves ? halvesWords(halves, questions) : who, intent ? intentWords(intent, machine, now) : ""].filter(
    (said) => said !== "",
  );
}

function answered(ask: HubAskView, now: number): string {
  const intent = intentOf(ask);
  return intent ? intentWords(intent, ask.machine, now) : safeLine(ask.sentence, { max: LONGEST_LINE });
}
