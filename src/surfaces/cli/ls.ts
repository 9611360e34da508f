import { parseArgs } from "node:util";
import { shortId } from "../../core/id.ts";
import { duration } from "../../core/sentence.ts";
import { safeLine } from "../../core/text.ts";
import type { CallOf } from "../../protocol/contract.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Command } from "./run.ts";
import type { Style } from "./terminal.ts";

const HELP = `Usage: parley ls [--done | --all | --state S] [--project P] [--limit N] [--after ID] [--json]

What waits for an answer, longest waiting first.

  --done      settled ones, newest first, with what happened
  --all       both
  --state S   open, settled, delivered, verified, mismatched or closed
  --project P only this project
  --limit N   at most N (100); --after ID goes on behind that one
`;

export const ls: Command = async (args, { terminal, client }) => {
  const { values } = parseArgs({
    args,
    options: {
      done: { type: "boolean" },
      all: { type: "boolean", short: "a" },
      state: { type: "string" },
      project: { type: "string" },
      limit: { type: "string" },
      after: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const state = values.state ?? (values.all ? "all" : values.done ? "done" : "open");
  const query = {
    state,
    project: values.project,
    limit: values.limit,
    after: values.after,
  } as CallOf<"listAsks">["query"];
  const { asks, next } = await client.call("listAsks", query ? { query } : {});
  if (values.json) return (terminal.out(`${JSON.stringify({ asks, next })}\n`), 0);
  if (asks.length === 0) return (terminal.out(state === "open" ? "Nothing waits for you.\n" : "Nothing here.\n"), 0);
  const now = Date.now();
  terminal.out(asks.map((ask) => row(ask, now, terminal.width, terminal.style)).join(""));
  if (next !== undefined) terminal.out(terminal.style.dim(`More: parley ls --after ${shortId(next)}\n`));
  return 0;
};

function row(ask: AskView, now: number, width: number, { bold, dim, cyan }: Style): string {
  const age = duration(now - ask.createdAt).padStart(6);
  const where = safeLine(ask.origin.project ?? ask.agentTitle, { max: 20 });
  const kind = ask.kind === "question" ? "" : `[${ask.kind}] `;
  const head = `${shortId(ask.id)}  ${age}  ${where}  `;
  const questions = ask.questions.map((question) => safeLine(question.text)).join(" / ") || "(no details available)";
  const text = fit(`${kind}${questions}`, width - Bun.stringWidth(head) - 1);
  const line = `${bold(shortId(ask.id))}  ${dim(age)}  ${cyan(where)}  ${text}\n`;
  return ask.state === "open" ? line : `${line}        ${dim(fit(ask.sentence, width - 9))}\n`;
}

/** Cut to columns, not characters: wide letters take two. */
function fit(text: string, columns: number): string {
  if (Bun.stringWidth(text) <= columns) return text;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(cut + segment) > columns - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}
