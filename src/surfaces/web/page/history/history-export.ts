import { describeAnswers } from "../../../../core/words/outcome/describe-answer.ts";
import { safeText } from "../../../../core/text/text.ts";
import { askTitles } from "../../../../core/ask/title.ts";
import type { AskView } from "../../../../protocol/view.ts";

const COLUMNS = [
  "id",
  "asked",
  "settled",
  "wait_seconds",
  "kind",
  "agent",
  "project",
  "branch",
  "question",
  "outcome",
  "answer",
  "by",
  "where",
  "reason",
  "state",
];

export function asCsv(settled: readonly AskView[]): string {
  const rows = settled.map((ask) => {
    const { outcome, origin } = ask;
    const answer = outcome?.answers ? describeAnswers(ask.questions, outcome.answers) : (outcome?.message ?? "");
    return [
      ask.id,
      new Date(ask.createdAt).toISOString(),
      outcome ? new Date(outcome.at).toISOString() : "",
      outcome ? String(Math.round((outcome.at - ask.createdAt) / 1000)) : "",
      ask.kind,
      ask.agentTitle,
      origin.project ?? "",
      origin.branch ?? "",
      askTitles(ask),
      outcome?.type ?? "",
      answer,
      outcome?.actor.name ?? outcome?.actor.type ?? "",
      outcome?.actor.surface ?? "",
      outcome?.reason ?? "",
      ask.state,
    ];
  });
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

export function asJson(settled: readonly AskView[]): string {
  return `${JSON.stringify(settled, null, 2)}\n`;
}

/** A spreadsheet runs a cell that begins like a formula; a quote in front makes it text. */
function cell(text: string): string {
  const safe = safeText(text);
  const inert = /^[=+\-@\t]/.test(safe) ? `'${safe}` : safe;
  return /[",\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
