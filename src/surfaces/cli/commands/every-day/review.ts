import { askTitle } from "../../../../core/ask/title.ts";
import { titleIn } from "../../../../core/words/session-words.ts";
import { isForTerminal } from "../../../../core/ask/channel.ts";
import { isParleys } from "../../../../core/ask/ask-state.ts";
import { NOTHING_WAITS, PARLEY_ASKS } from "../../../../core/words/ask-words.ts";
import { stopWords } from "../../../../core/words/outcome/refusal-words.ts";
import { ParleyError } from "../../../../core/error.ts";
import { shortId } from "../../../../core/id.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { fit } from "../../../terminal/columns.ts";
import { counted } from "../../../../core/words/number.ts";
import { alsoMeant } from "../../answering/also-meant.ts";
import { fittedQuestion, wholeTexts } from "../../../terminal/question.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { settleAsk } from "../../answering/settle-ask.ts";
import { readSettlement } from "../../answering/settlement.ts";
import { colourOf, type Terminal } from "../../../terminal/terminal.ts";

const ANSWERS = `  2            option 2; 1,3 for several; 2 1,3 for several questions
  = words      your own words; 2 = words is option 2 with a note
  d [words]    deny or decline  c words   talk about it first
  x            stop the agent, as Esc does; cancel a task
  p            the whole preview, where it was cut
  s            skip it          q         stop here`;

const CHOICES = `  2            option 2; 1,3 for several
  p            the whole preview, where it was cut
  s            skip it          q         stop here`;

export const command = defineCommand({
  about: `Goes through everything that waits, longest waiting first, and asks you for each answer:\n\n${ANSWERS}`,
  options: { json: { hidden: true, description: "refused: needs a terminal" } },
  async run({ json }, context) {
    const { terminal, client } = context;
    if (!terminal.ask || !terminal.isTty || json)
      throw new ParleyError("usage", "Reviewing needs a terminal; see: parley ls, parley answer");
    const skipped = new Set<string>();
    await client.call("welcome", { body: { path: terminal.env["PATH"] ?? "", again: true } });
    for (;;) {
      const { asks } = await client.call("listAsks", { query: { limit: 500 } });
      const next = asks.filter((ask) => !skipped.has(ask.id) && !isForTerminal(ask));
      const [ask] = next;
      if (!ask) {
        terminal.out(ending(asks.filter(isForTerminal), skipped.size, terminal));
        return 0;
      }
      show(ask, next.length, context);
      const verdict = await answerOne(ask, next.length, context);
      if (verdict === "stop") return 0;
      skipped.add(ask.id);
    }
  },
});

/** The options in view, whatever the height of the terminal: the heading, a blank line and the prompt stand there too. */
function show(ask: AskView, left: number, context: Context): void {
  const { terminal } = context;
  const rows = (terminal.isTty && process.stdout.rows) || Infinity;
  const lines = fittedQuestion(ask, terminal, rows - 3, "; p shows them");
  terminal.out(`\n${heading(ask, left, context)}\n${lines.join("\n")}\n`);
}

/** What no hook can answer is not asked here, but it waits too. */
function ending(left: readonly AskView[], seen: number, { width }: Terminal): string {
  const rows = left.map((ask) => fit(`${shortId(ask.id)}  [${ask.kind}] ${askTitle(ask)}`, width));
  if (rows.length > 0)
    return `\n${["Only their own terminals can answer these; parley jump <id>:", ...rows].join("\n")}\n`;
  return seen === 0 ? `${NOTHING_WAITS}.\n` : "Nothing left to answer.\n";
}

function heading({ id, kind, origin, agentTitle }: AskView, left: number, { terminal: { style } }: Context): string {
  const from = safeLine(
    [agentTitle, origin.project, origin.branch, ...titleIn(origin.sessionTitle, 40)].filter(Boolean).join(" · "),
    {
      max: 120,
    },
  );
  return `${style.bold(shortId(id))}  ${kind === "question" ? "" : `[${kind}] `}${style.cyan(from)}  ${style.dim(`${counted(left, "question")} left`)}`;
}

/** Asks until the words make an answer; a typing mistake must not skip a question. */
async function answerOne(ask: AskView, left: number, context: Context): Promise<"next" | "stop"> {
  const { terminal, client } = context;
  for (;;) {
    const typed = (await terminal.ask?.("Answer (? for help): "))?.trim() ?? "q";
    if (typed === "q") return "stop";
    if (typed === "s") return "next";
    if (typed === "p") {
      terminal.out(`${wholeTexts(ask, terminal).join("\n")}\n`);
      show(ask, left, context);
      continue;
    }
    try {
      if (typed === "?" || typed === "") throw new ParleyError("usage", isParleys(ask) ? CHOICES : ANSWERS);
      const isRefusing = /^[dc](\s|$)/.test(typed) || (typed === "x" && !stopWords(ask));
      if (isParleys(ask) && isRefusing) throw new ParleyError("usage", PARLEY_ASKS);
      const settlement = readSettlement(ask, readWords(typed));
      const others = settlement.action === "cancel" ? [] : await alsoMeant(ask, false, context);
      for (const each of [ask, ...others]) {
        const { sentence } = await settleAsk(each, settlement, client, terminal);
        terminal.out(`${colourOf(sentence, terminal.style)(safeLine(sentence, { max: 500 }))}\n`);
      }
      return "next";
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      terminal.out(`${error.message.trimEnd()}\n`);
    }
  }
}

function readWords(typed: string) {
  const none = { choices: [], message: [], text: [] };
  if (typed === "x") return { ...none, cancel: true };
  const [, letter, words = ""] = /^([dc])(?:\s+(.*))?$/s.exec(typed) ?? [];
  if (letter === "d") return { ...none, decline: true, ...(words && { message: [words] }) };
  if (letter === "c") return { ...none, chat: words };
  const [choice = "", ...own] = typed.split("=");
  const message = own.length > 0 && !/^\s*q\d+$/.test(choice) ? [own.join("=").trim()] : [];
  const choices = (message.length > 0 ? choice : typed).trim().split(/\s+/).filter(Boolean);
  return { ...none, choices, message };
}
