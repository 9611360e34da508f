import { idleWords, titleIn } from "../../../../core/words/session-words.ts";
import { isSnoozed } from "../../../../core/ask/ask-state.ts";
import { ASK_STATES } from "../../../../core/ask/state-names.ts";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { NOTHING_WAITS } from "../../../../core/words/ask-words.ts";
import { ageOf, snoozedWords } from "../../../../core/words/time.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { CallOf } from "../../../../protocol/contract.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { fit, pad } from "../../../terminal/columns.ts";
import { countIn } from "../../../terminal/counting.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import { groupSame } from "../../answering/same.ts";
import { colourOf, type Terminal } from "../../../terminal/terminal.ts";

const STATES: readonly string[] = [...ASK_STATES, "active", "done", "all"];
/** Longer questions are cut even where there is no terminal; show and --json have them whole. */
const LONGEST_LINE = 240;
const LONGEST_PROJECT = 20;

export const command = defineCommand({
  about: "What waits for an answer, longest waiting first: id, age, project, question.",
  options: {
    done: { description: "settled ones, the last one first, with what happened" },
    all: { short: "a", description: "both" },
    state: { value: "S", of: STATES, description: "open, settled, delivered, verified, mismatched or closed" },
    project: { value: "P", description: "only this project" },
    agent: { value: "A", description: "only this agent, as parley agents names it" },
    limit: { value: "N", description: "at most N (100)" },
    after: { value: "ID", description: "start after this id" },
    hub: { description: "of all machines of the hub in PARLEY_HUB" },
    for: { value: "NAME", description: "with --hub: asked of this member, or that they are on; me: of you" },
    machine: { value: "NAME", description: "with --hub: only of this machine" },
    json: { description: "the whole asks" },
  },
  async run(values, context) {
    const { terminal, client } = context;
    const state = values.state ?? (values.all ? "all" : values.done ? "done" : "open");
    if (!STATES.includes(state))
      throw new ParleyError("usage", `--state: expected one of ${STATES.join(", ")}, not "${state}"`);
    const { project, agent, after } = values;
    const limit = values.limit === undefined ? undefined : countIn("--limit", values.limit, [1, 500]);
    if (values.hub) {
      if (agent !== undefined || after !== undefined || !["open", "all"].includes(state))
        throw new ParleyError("usage", "With --hub: --all, --project, --for, --machine and --limit");
      const { listHub } = await import("../../hub-list.ts");
      const chosen = { project, limit, for: values.for, machine: values.machine };
      return listHub({ all: state === "all", json: values.json, ...chosen }, context);
    }
    if (values.for !== undefined || values.machine !== undefined)
      throw new ParleyError("usage", "--for and --machine are of a hub: add --hub");
    const query = { state, project, agent, limit, after } as NonNullable<CallOf<"listAsks">["query"]>;
    const { asks, next, idle = 0 } = await client.call("listAsks", { query });
    if (values.json) return (terminal.out(jsonLine({ asks, next })), 0);
    // The time that is shown is the one they are in the order of.
    const since = (ask: AskView) => (state === "done" ? (ask.settledAt ?? ask.createdAt) : ask.createdAt);
    if (asks.length > 0) terminal.out(table(asks, Date.now(), terminal, { since, ...(await wordsFor(asks)) }));
    else terminal.out(state === "open" ? `${NOTHING_WAITS}.\n` : "Nothing here.\n");
    if (next !== undefined) terminal.out(terminal.style.dim(`More: ${following(values, next)}\n`));
    if (idle > 0) terminal.out(terminal.style.dim(`${idleWords(idle)}: parley sessions\n`));
    return 0;
  },
});

function table(
  asks: readonly AskView[],
  now: number,
  { width, style }: Terminal,
  { since, ...words }: Words & { since: (ask: AskView) => number },
): string {
  const { bold, dim, cyan } = style;
  const most = Math.min(width, LONGEST_LINE);
  const [aside, before] = [true, false].map((snoozed) => asks.filter((ask) => isSnoozed(ask, now) === snoozed));
  const rows = groupSame([...(before ?? []), ...(aside ?? [])])
    .flatMap(([ask, ...same]) => (ask ? [{ ask, times: same.length + 1 }] : []))
    .map(({ ask, times }) => ({
      ask,
      times,
      age: ageOf(since(ask), now),
      project: fit(
        safeLine(ask.origin.project ?? ask.agentTitle, { max: LONGEST_LINE }),
        Math.min(LONGEST_PROJECT, Math.floor(most / 4)),
      ),
    }));
  const longest = (texts: string[]) => Math.max(...texts.map((text) => Bun.stringWidth(text)));
  const [ages, projects] = [longest(rows.map(({ age }) => age)), longest(rows.map(({ project }) => project))];
  const left = most - 6 - ages - projects - 6;
  return rows
    .map(({ ask, times, age, project }) => {
      const line = [
        bold(shortId(ask.id)),
        dim(age.padStart(ages)),
        cyan(pad(project, projects)),
        asked(ask, times, left, now, words),
      ];
      const happened = fit(safeLine(ask.sentence, { max: LONGEST_LINE }), most - 8);
      const below = ask.state === "open" ? "" : `        ${colourOf(happened, style)(happened)}\n`;
      const from = titleIn(ask.origin.sessionTitle).map((title) => `        ${dim(fit(title, most - 8))}\n`);
      return `${line.join("  ")}\n${from.join("")}${below}`;
    })
    .join("");
}

type Words = { pilotTag: (ask: AskView, now: number) => string; titleOf: (ask: AskView) => string };

/** Loaded only for a list that needs it: what the autopilot is about, and titles where a daemon of before sends none. */
async function wordsFor(asks: readonly AskView[]): Promise<Words> {
  const [pilot, titles] = await Promise.all([
    asks.some(({ autopilot, prefill }) => autopilot ?? prefill)
      ? import("../../../../core/words/pilot-line.ts")
      : undefined,
    asks.some(({ title }) => title === undefined) ? import("../../../../core/ask/title.ts") : undefined,
  ]);
  return {
    pilotTag: (ask, now) => pilot?.pilotTag(ask, now) ?? "",
    titleOf: (ask) => (ask.title === undefined ? (titles?.askTitle(ask) ?? "") : safeLine(ask.title, { max: 240 })),
  };
}

/** What it is called; how many more there are stays to be seen, however long it is. */
function asked(ask: AskView, times: number, columns: number, now: number, { pilotTag, titleOf }: Words): string {
  const { kind, questions } = ask;
  const others = questions.length - 1;
  const aside = isSnoozed(ask, now) ? `[${snoozedWords(ask.snoozedUntil ?? 0, now)}] ` : "";
  const tag = `${times > 1 ? `${times}× ` : ""}${kind === "question" ? "" : `[${kind}] `}${aside}${pilotTag(ask, now)}`;
  const more = others < 1 ? "" : columns < 30 ? ` +${others}` : ` (+${others} more)`;
  return `${fit(`${tag}${titleOf(ask)}`, Math.max(1, columns - more.length))}${more}`;
}

function following(values: Record<string, string | boolean | undefined>, next: string): string {
  const kept = ["done", "all", "state", "project", "agent", "limit"].flatMap((name) => {
    const value = values[name];
    if (value === undefined || value === false) return [];
    return value === true ? `--${name}` : `--${name} ${safeLine(value)}`;
  });
  return ["parley ls", ...kept, "--after", shortId(next)].join(" ");
}
