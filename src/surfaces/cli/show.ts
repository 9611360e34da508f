import { parseArgs } from "node:util";
import { ParleyError } from "../../core/error.ts";
import type { LogEvent } from "../../core/event.ts";
import { shortId } from "../../core/id.ts";
import { headerOf, type Question } from "../../core/question.ts";
import { safeLine, safeText } from "../../core/text.ts";
import type { AskView } from "../../protocol/view.ts";
import type { Command } from "./run.ts";
import type { Style } from "./terminal.ts";
import { timeline } from "./timeline.ts";

const HELP = `Usage: parley show <id> [--json]

One question with its options, what the agent said before it, where it comes from and
what happened to it.
`;
/** Longer texts are cut on the screen; --json has them whole. */
const MOST = { text: 4000, option: 500, preview: 2000, context: 1500 };

export const show: Command = async (args, { terminal, client }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return (terminal.out(HELP), 0);
  const [id, ...rest] = positionals;
  if (id === undefined || rest.length > 0) throw new ParleyError("usage", "One id is needed: parley show <id>");
  const ask = await client.call("getAsk", { id });
  const { events } = await client.call("readLog", { query: { ask: ask.id, limit: 200 } });
  if (values.json) return (terminal.out(`${JSON.stringify({ ...ask, events })}\n`), 0);
  terminal.out(`${page(ask, events, terminal.style).join("\n")}\n`);
  return 0;
};

function page(ask: AskView, events: readonly LogEvent[], style: Style): string[] {
  return [
    `${style.bold(shortId(ask.id))}  [${ask.kind}]  ${painted(ask, style)}`,
    style.dim(origin(ask)),
    "",
    ...ask.questions.flatMap((question, i) => [...inWords(question, i, ask.questions.length, style), ""]),
    ...(ask.questions.length === 0 ? ["(no details available)", ""] : []),
    ...context(ask, style),
    ...timeline(ask, events, style),
    ...hints(ask, style),
  ];
}

function painted({ sentence }: AskView, style: Style): string {
  if (sentence.startsWith("✓")) return style.green(sentence);
  return sentence.startsWith("✗") ? style.red(sentence) : style.yellow(sentence);
}

function origin({ agentTitle, origin: { project, branch, session, pane, mode, cwd } }: AskView): string {
  return [
    agentTitle,
    project === undefined ? undefined : `${project}${branch === undefined ? "" : ` (${branch})`}`,
    session === undefined ? undefined : `session ${session.slice(0, 8)}`,
    pane === undefined ? undefined : `tmux ${pane.id}`,
    mode === undefined ? undefined : `mode ${mode}`,
    cwd,
  ]
    .flatMap((part) => (part === undefined ? [] : safeLine(part, { max: 120 })))
    .join(" · ");
}

function inWords(question: Question, index: number, count: number, { bold, dim }: Style): string[] {
  const number = count > 1 ? `${dim(`${index + 1}/${count}`)} ` : "";
  const kind = question.multiSelect ? dim(" (several may be chosen)") : "";
  return [
    `${number}${bold(`[${safeLine(headerOf(question), { max: 60 })}] ${safeText(question.text, { max: MOST.text })}`)}${kind}`,
    ...question.options.flatMap(({ label, description, preview }, i) => [
      `  ${i + 1}. ${bold(safeLine(label, { max: MOST.option }))}${description ? ` - ${safeLine(description, { max: MOST.option })}` : ""}`,
      ...(preview === undefined
        ? []
        : safeText(preview, { max: MOST.preview })
            .split("\n")
            .map((line) => dim(`       │ ${line}`))),
    ]),
  ];
}

function context({ agentTitle, origin: { lastText } }: AskView, { dim }: Style): string[] {
  if (!lastText?.trim()) return [];
  const lines = safeText(lastText, { max: MOST.context }).trim().split("\n");
  return [`${agentTitle} said before:`, ...lines.map((line) => dim(`  ${line}`)), ""];
}

function hints(ask: AskView, { dim }: Style): string[] {
  if (ask.outcome) return [];
  const id = shortId(ask.id);
  const where =
    ask.reachable || ask.deliveries.every((d) => d.channel === "fetch")
      ? []
      : ["Nobody holds the line: answer it in the terminal, or keep an answer for when the agent is back."];
  return [
    "",
    ...where,
    dim(`Use: parley decision resolve ${id} <number> [-m message]`),
    dim(`Tip: Use -m to provide a custom answer (option "Other")`),
  ];
}
