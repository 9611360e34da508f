import { denialWords } from "../../../../core/words/outcome/denial.ts";
import { askTitles } from "../../../../core/ask/title.ts";
import { describeAnswers } from "../../../../core/words/outcome/describe-answer.ts";
import { shortId } from "../../../../core/id.ts";
import type { Actor } from "../../../../core/ask/outcome.ts";
import { safeLine, safeText, truncate } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import type { Client } from "../../../../client/client.ts";
import { fit, pad } from "../../../terminal/columns.ts";
import { countIn } from "../../../terminal/counting.ts";
import { jsonLine } from "../../json.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { clock } from "../../../../core/words/time.ts";

type Decision = { at: number; id: string; project: string; question: string; answer: string; by: string; why: string };

export const command = defineCommand({
  about: "What was decided, by whom and why, oldest first.",
  options: {
    project: { value: "P", description: "only this project" },
    limit: { value: "N", default: "100", description: "the newest N (100)" },
    md: { description: "as a markdown table, for a file in the repository" },
    mismatched: { description: "only answers the agent received differently, and what to do about them" },
  },
  async run(values, { terminal, client }) {
    const limit = countIn("--limit", values.limit, [1, 500]);
    if (values.mismatched) return mismatched(limit, values.project, values.json, { terminal, client });
    const decided = await newest(limit, values.project, client);
    if (values.json) return (terminal.out(jsonLine({ decisions: decided })), 0);
    if (values.md) return (terminal.out(markdown(decided)), 0);
    terminal.out(decided.length === 0 ? "Nothing decided yet.\n" : table(decided, terminal));
    return 0;
  },
});

async function mismatched(
  limit: number,
  project: string | undefined,
  json: boolean,
  { terminal, client }: Pick<Context, "terminal" | "client">,
): Promise<number> {
  const query = { state: "mismatched" as const, limit, ...(project !== undefined && { project }) };
  const found = (await client.call("listAsks", { query })).asks
    .toSorted(byOutcome)
    .map(({ id, origin, outcome, mismatch = "", told }) => ({
      id,
      at: outcome?.at ?? 0,
      project: safeLine(origin.project ?? origin.agent, { max: 40 }),
      by: outcome ? who(outcome.actor) : "",
      text: mismatch,
      ...(told && { told }),
    }));
  if (json) return (terminal.out(jsonLine({ mismatches: found })), 0);
  const blocks = found.map(
    ({ id, at, by, text }) => `${shortId(id)}  ${clock(at).slice(0, 16)}  ${by}\n${safeText(text)}\n`,
  );
  terminal.out(found.length === 0 ? "Every answer arrived as intended.\n" : blocks.join("\n"));
  return 0;
}

/** The last of them, in the order of their time. Not every Ask is a decision: pages are read until there are enough. */
async function newest(limit: number, project: string | undefined, client: Client): Promise<Decision[]> {
  const page = (state: "settled" | "delivered" | "done", after?: string) =>
    client.call("listAsks", { query: { state, limit: 500, ...(project && { project }), ...(after && { after }) } });
  // What its agent has not confirmed yet is decided too; of these there are few.
  const underway = await Promise.all([page("settled"), page("delivered")]);
  const found = underway.flatMap(({ asks }) => asks.flatMap(decisionOf));
  const needed = limit + found.length;
  for (let after: string | undefined; found.length < needed;) {
    const { asks, next } = await page("done", after);
    found.push(...asks.flatMap(decisionOf));
    if (next === undefined) break;
    after = next;
  }
  return found.toSorted((a, b) => a.at - b.at).slice(-limit);
}

const byOutcome = (a: AskView, b: AskView) => (a.outcome?.at ?? 0) - (b.outcome?.at ?? 0);

/** Only what somebody decided: a question that was withdrawn or expired decided nothing. */
function decisionOf(ask: AskView): Decision[] {
  const { id, origin, questions, outcome } = ask;
  if (!outcome || !["answered", "answered-elsewhere", "overtaken", "declined"].includes(outcome.type)) return [];
  const denied = denialWords({ questions, origin }, outcome);
  const answer = denied ?? (outcome.answers ? describeAnswers(questions, outcome.answers) : "declined");
  return [
    {
      at: outcome.at,
      id,
      project: safeLine(origin.project ?? origin.agent, { max: 40 }),
      question: truncate(askTitles(ask), 300),
      answer: safeLine(answer, { max: 300 }),
      by: who(outcome.actor),
      why:
        outcome.type === "overtaken"
          ? ""
          : safeLine(outcome.reason ?? (denied === undefined ? outcome.message : "") ?? "", { max: 300 }),
    },
  ];
}

function who({ type, surface, name, program }: Actor): string {
  if (program !== undefined) return safeLine(`program ${program}`, { max: 60 });
  if (type === "person")
    return surface === "terminal" ? "person, terminal" : `person, ${safeLine(surface, { max: 40 })}`;
  if (type === "agent" && surface === "terminal") return "terminal, says its agent";
  return safeLine(name === undefined ? type : `${type} ${name}`, { max: 40 });
}

function table(decided: readonly Decision[], { width, style }: Terminal): string {
  const longest = (texts: string[]) => Math.min(24, Math.max(...texts.map((text) => Bun.stringWidth(text))));
  const projects = longest(decided.map(({ project }) => project));
  return decided
    .map(({ at, id, project, question, answer, by, why }) => {
      const head = `${style.bold(shortId(id))}  ${style.dim(clock(at).slice(0, 16))}  ${style.cyan(pad(fit(project, projects), projects))}  `;
      const left = Math.min(width, 240) - 28 - projects;
      const reason = why && ` (${why})`;
      return `${head}${fit(question, left)}\n        ${fit(`→ ${answer}  — ${by}${reason}`, Math.min(width, 240) - 8)}\n`;
    })
    .join("");
}

function markdown(decided: readonly Decision[]): string {
  // Read as text, whatever a model wrote: no markup, no links, no images that call home.
  const cell = (text: string) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(/[\\|`*_~[\]!$]/g, "\\$&");
  const rows = decided.map(({ at, project, question, answer, by, why }) =>
    [clock(at).slice(0, 16), project, question, answer, by, why]
      .map((text) => ` ${cell(text)} `.replace(/^ {2}$/, " "))
      .join("|"),
  );
  return [
    "| when | project | question | decision | by | why |",
    "|---|---|---|---|---|---|",
    ...rows.map((row) => `|${row}|`),
    "",
  ].join("\n");
}
