import { assertTmux } from "../../../../machine/tmux.ts";
import type { Client } from "../../../../client/client.ts";
import { isForTerminal } from "../../../../core/ask/channel.ts";
import { isSnoozed } from "../../../../core/ask/ask-state.ts";
import { NOTHING_WAITS } from "../../../../core/words/ask-words.ts";
import { ParleyError } from "../../../../core/error.ts";
import { describeOutcome } from "../../../../core/words/outcome/sentence.ts";
import { prefillFor } from "../../../../core/words/pilot-line.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { openDialog } from "../../../../dialog/open-dialog.ts";
import { selfCommand } from "../../../../machine/self-command.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { contextOf, waysOf } from "../../../tui/ask-dialog.ts";
import { createDrafts } from "../../../tui/action/drafts.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { changeHere, type Ended, grantHere } from "../../answering/popup-ways.ts";
import { settleAsk, tooLate } from "../../answering/settle-ask.ts";
import { colourOf } from "../../../terminal/terminal.ts";

/** How long the receipt stays in a popup, which closes with this process. */
const READING_MS = 1500;
const CARRIED = ["NO_COLOR", "COLORFGBG", "PARLEY_CONFIG"];

export const command = defineCommand({
  about:
    "The question that waits longest, then the next one, each with the receipt of the one before: inside tmux in a popup over what you are doing, elsewhere in this terminal. Esc leaves.",
  options: { json: { hidden: true, description: "refused: needs a terminal" } },
  examples: [["bind-key a run-shell -b 'parley popup || true'", "as a key of tmux"]],
  notes:
    "Exit codes: 0 answered, left or nothing waits · 2 wrong answer · 4 somebody was first · 5 the agent received something else",
  async run({ json }, context) {
    const { terminal, client } = context;
    const ask = await oldest(client);
    if (!ask) return (terminal.out(`${NOTHING_WAITS}.\n`), 0);
    const isHere = terminal.isTty && terminal.ask !== undefined && !json;
    // A popup has no pane of its own; neither has a key binding, but that has no terminal.
    if (terminal.env["TMUX"] && (terminal.env["TMUX_PANE"] !== undefined || !isHere)) return overTmux(context);
    if (!isHere) throw new ParleyError("usage", "This needs a terminal; see: parley ls, parley answer");
    return answerAll(ask, context);
  },
});

/** One after the other, each with the receipt of the one before it, until the person leaves or nothing waits. */
async function answerAll(first: AskView, context: Context): Promise<number> {
  const { terminal, client } = context;
  // With these the dialog ends as on any other leaving, and what was typed is kept first.
  for (const signal of ["SIGHUP", "SIGTERM", "SIGINT"] as const) process.on(signal, () => undefined);
  const done = new Set<string>();
  let [worst, receipt] = [0, ""];
  for (let ask: AskView | undefined = first; ask; ask = await oldest(client, done)) {
    const end = await answerHere(ask, receipt, context);
    if (!end) return worst;
    if (!end.again) done.add(ask.id);
    worst = Math.max(worst, end.code);
    receipt = safeLine(end.sentence, { max: 500 });
    if (!end.isTold) terminal.out(`${colourOf(receipt, terminal.style)(receipt)}\n`);
  }
  if (terminal.env["TMUX"] && terminal.env["TMUX_PANE"] === undefined) await Bun.sleep(READING_MS);
  return worst;
}

async function oldest(client: Client, done: ReadonlySet<string> = new Set()): Promise<AskView | undefined> {
  const { asks } = await client.call("listAsks", { query: { limit: 500 } });
  const isNext = (ask: AskView) => !done.has(ask.id) && !isSnoozed(ask, Date.now()) && !isForTerminal(ask);
  return asks.find(isNext);
}

function overTmux({ paths, terminal: { env } }: Context): number {
  assertTmux();
  const carried = CARRIED.flatMap((name) => (env[name] === undefined ? [] : ["-e", `${name}=${env[name]}`]));
  const place = ["-E", "-w", "90%", "-h", "80%", "-e", `PARLEY_HOME=${paths.home}`, ...carried];
  const { exitCode, stderr } = Bun.spawnSync(["tmux", "display-popup", ...place, ...selfCommand(), "popup"], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  const problem = stderr.toString().trim();
  if (problem !== "") throw new ParleyError("internal", `tmux: ${problem}`);
  return exitCode;
}

/** Undefined: the person left, and the question is as open as before. */
async function answerHere(ask: AskView, receipt: string, context: Context): Promise<Ended | undefined> {
  const { terminal, client } = context;
  const drafts = createDrafts(client, "popup");
  const draft = await drafts.load(ask.id);
  const prefill = prefillFor(ask);
  const left = new AbortController();
  const end = await openDialog({
    questions: ask.questions,
    closes: true,
    ways: waysOf(ask),
    isProse: ask.kind === "plan",
    facts: () => ask.facts ?? [],
    context: [receipt, contextOf(ask, Date.now())].filter(Boolean).join("\n\n"),
    ...(draft && { draft }),
    ...(prefill && { prefill }),
    onDraft: (changed) => drafts.keep(ask.id, changed),
    conclude: (say) => void tellWhenSettled(ask.id, client, say, left.signal),
  });
  left.abort();
  if (end.type !== "submitted") {
    drafts.keep(ask.id, end.draft);
    await keepOrTell();
    const now = await client.call("getAsk", { id: ask.id });
    if (now.outcome) return tooLate(now);
    if (end.type !== "cancelled" || end.by === undefined) return undefined;
    return end.by === "e" ? changeHere(now, context) : grantHere(now, context);
  }
  try {
    const settled = await settleAsk(ask, { action: "answer", answers: end.answers }, client, terminal, "popup");
    if (settled.code !== 4) drafts.forget(ask.id);
    return settled;
  } finally {
    await keepOrTell();
  }

  async function keepOrTell(): Promise<void> {
    for (const text of await drafts.close()) terminal.err(`Parley could not keep what you typed:\n${text}\n`);
  }
}

/** First answer wins, visibly: whoever was first is named in the open dialog. */
async function tellWhenSettled(
  id: string,
  client: Client,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { events } = await client.call("readLog", { query: { ask: id, tail: "true", limit: 1 } });
  for await (const event of client.events(events.at(-1)?.seq ?? 0, signal)) {
    if (event.ask !== id) continue;
    const ask = await client.call("getAsk", { id });
    if (ask.outcome) return say(describeOutcome(ask, Date.now()));
  }
}
