import { ParleyError } from "../../../../core/error.ts";
import { titleIn } from "../../../../core/words/session-words.ts";
import { isForTerminal } from "../../../../core/ask/channel.ts";
import { shortId } from "../../../../core/id.ts";
import { TERMINAL_ONLY } from "../../../../core/words/ask-words.ts";
import { wayBackOf, wayBackWords } from "../../../../core/words/outcome/way-back.ts";
import { takesOwnWords } from "../../../../core/form/rows.ts";
import { pilotLine, prefillLine } from "../../../../core/words/pilot-line.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { shellWord } from "../../../../machine/shell-quote.ts";
import { hang } from "../../../terminal/columns.ts";
import type { Client } from "../../../../client/client.ts";
import type { GrantView } from "../../../../protocol/grant.ts";
import { askMarkdown } from "../../ask-markdown.ts";
import { changedLines } from "../../../terminal/changed-lines.ts";
import { factLines } from "../../../terminal/fact-lines.ts";
import { findAsk } from "../../find-ask.ts";
import { offerFor, proposalLines } from "../../answering/proposal-lines.ts";
import { jsonLine } from "../../json.ts";
import { proseLines } from "../../../terminal/markdown.ts";
import { questionLines } from "../../../terminal/question.ts";
import { defineCommand } from "../../command-line/define.ts";
import { colourOf, type Page, type Terminal } from "../../../terminal/terminal.ts";
import { timeline } from "../../../terminal/timeline.ts";

const LONGEST_CONTEXT = { text: 1500, lines: 30 };
const NOBODY = "Nobody is waiting here: answer it in the terminal, or save an answer for when the agent is back.";

export const command = showCommand("show", ({ questions }, id) => {
  const numbers = questions
    .map(({ multiSelect, options }) => (multiSelect && options.length > 1 ? "1,2" : "1"))
    .join(" ");
  const fields = questions.flatMap(({ field }) => (field && field.type !== "address" ? [fieldWord(field.name)] : []));
  if (fields.length > 0)
    return [
      `Answer: parley answer ${id} ${fields.map((name) => `--field ${name}=…`).join(" ")}; or --decline, --cancel`,
    ];
  const words = '-m "your own words"';
  if (questions.every(({ options }) => options.length === 0)) return [`Answer: parley answer ${id} ${words}`];
  return [`Answer: parley answer ${id} ${numbers}${questions.some(takesOwnWords) ? `, or ${words}` : ""}`];
});

const fieldWord = (name: string) => shellWord(safeLine(name, { max: 60 }));

export type Hints = (ask: AskView, id: string) => readonly string[];

/** `teach`: how it is answered, as the one who typed this calls it. */
export function showCommand(name: string, teach: Hints) {
  return defineCommand({
    about:
      "One question with its options, what the agent said before it, where it comes from and what happened to it: who, where, when, and the receipt. Long texts are cut here, never in --json.",
    options: {
      md: { description: "as Markdown, to be pasted into a pull request" },
      hub: { description: "over the hub in PARLEY_HUB" },
    },
    positionals: { id: { of: "ask" } },
    needs: `Give one id: parley ${name} <id>`,
    async run({ id, json, md, hub }, context) {
      const { terminal, client } = context;
      if (hub) {
        if (md) throw new ParleyError("usage", "With --hub: --json");
        return (await import("../../hub-show.ts")).showInHub(id, json, context, teach);
      }
      const ask = await findAsk(client, id);
      const { events } = await client.call("readLog", { query: { ask: ask.id, limit: 200 } });
      if (json) return (terminal.out(jsonLine({ ...ask, events })), 0);
      if (md)
        return (terminal.out(askMarkdown(ask, { events, grants: await grantsOf(ask, client), now: Date.now() })), 0);
      const parts = [
        headline(ask, terminal),
        ...questionLines(ask, terminal),
        changedLines(ask, terminal),
        factLines(ask, terminal),
        pilotLines(ask, terminal),
        proposalLines(ask, await offerFor(client, ask), terminal),
        contextLines(ask, terminal),
        originLines(ask, terminal),
        timeline(ask, events, terminal),
        hints(ask, teach, terminal),
      ].filter((part) => part.length > 0);
      terminal.out(`${parts.map((part) => part.join("\n")).join("\n\n")}\n`);
      return 0;
    },
  });
}

/** The one that allowed it, and those that were given with it. */
async function grantsOf({ id, outcome, kind }: AskView, client: Client): Promise<GrantView[]> {
  if (kind !== "approval" && kind !== "plan") return [];
  const { grants } = await client.call("listGrants", { query: { all: "true" } });
  return grants.filter((grant) => grant.id === outcome?.grant || grant.from === id);
}

export function headline({ id, kind, sentence }: AskView, { style, width }: Terminal): string[] {
  const lead = `${style.bold(shortId(id))}  ${kind === "question" ? "" : `[${kind}] `}`;
  return hang(lead, safeLine(sentence, { max: 500 }), width, colourOf(sentence, style));
}

function pilotLines(ask: AskView, { style, width }: Terminal): string[] {
  const line = pilotLine(ask, Date.now());
  const filled = hang("", prefillLine(ask, ask.agentTitle) ?? "", width, style.dim).filter((words) => words !== "");
  if (line === undefined) return filled;
  const id = shortId(ask.id);
  const accept = ask.autopilot?.proposal ? `parley accept ${id} · ` : "";
  return [
    ...filled,
    ...hang("", line, width, style.cyan),
    ...hang("", `${accept}parley undo ${id} · parley explain ${id}`, width, style.dim),
  ];
}

/** The end of what the agent said: that is what led to the question. */
export function contextLines({ agentTitle, origin: { lastText } }: AskView, { style, width }: Page): string[] {
  const said = safeText(lastText ?? "").trim();
  if (said === "") return [];
  const end = said.length <= LONGEST_CONTEXT.text ? said : `…${said.slice(-LONGEST_CONTEXT.text).toWellFormed()}`;
  const lines = proseLines(end, { style, width: width - 2 }, style.dim).map((line) => line && `  ${line}`);
  const shown = lines.length <= LONGEST_CONTEXT.lines ? lines : ["  …", ...lines.slice(-LONGEST_CONTEXT.lines)];
  return [`${safeLine(agentTitle, { max: 40 })} said before:`, ...shown];
}

export function originLines(ask: AskView, { style, width }: Page): string[] {
  const { agentTitle, origin: from } = ask;
  const { project, branch, session, sessionTitle, subagentType, pane, mode, cwd } = from;
  const way = wayBackWords(ask);
  const parts = [
    way === undefined ? agentTitle : `${agentTitle} (${way})`,
    project && `${project}${branch === undefined ? "" : ` (${branch})`}`,
    ...titleIn(sessionTitle).map((title) => `“${title}”`),
    subagentType && `its agent ${subagentType}`,
    session && `session ${session.slice(0, 8)}`,
    pane && `tmux ${pane.id}`,
    mode && `mode ${mode}`,
    cwd,
  ].flatMap((part) => (part ? safeLine(part, { max: 120 }) : []));
  return hang("From: ", parts.join(" · "), width, style.dim);
}

function hints(ask: AskView, teach: Hints, { style, width }: Terminal): string[] {
  if (ask.outcome) return [];
  const id = shortId(ask.id);
  if (isForTerminal(ask))
    return [
      `${TERMINAL_ONLY}${ask.origin.pane ? ` Go there: parley jump ${id}` : ""}`,
      `Dismiss it: parley answer ${id} --decline`,
    ].flatMap((hint) => hang("", hint, width, style.dim));
  const alone = wayBackOf(ask) === "kept";
  return [...(alone ? [NOBODY] : []), ...teach(ask, id)].flatMap((hint) => hang("", hint, width, style.dim));
}
