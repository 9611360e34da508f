import { parseArgs } from "node:util";
import { ParleyError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { AskView } from "../../../protocol/view.ts";
import { findAsk } from "../find-ask.ts";
import { jsonLine } from "../json.ts";
import { alsoMeant } from "../also-meant.ts";
import { readDecision } from "../read-actions.ts";
import type { Command, Context } from "../run.ts";
import { mismatchLines } from "../tell-mismatches.ts";
import { type Given, readSettlement } from "../settlement.ts";
import { settleAsk, type Settled, tooLate } from "../settle-ask.ts";
import { colourOf, type Terminal } from "../../terminal/terminal.ts";

const HELP = `Usage: parley answer <id> [choice …] [-m message] [--text words] [--json]

  parley answer k3x 2                 option 2
  parley answer k3x 1,3               several options
  parley answer k3x 2 1,3             one choice for each question, in order
  parley answer k3x "Option B"        a label instead of a number
  parley answer k3x 2 -m "but small"  option 2, with a note
  parley answer k3x -m "neither"      your own words (option "Other"), or --text
  parley answer k3x 1 q3=2 -m "q2=…"  qN= names a later question
  parley answer k3x --decline         no answer; -m says why
  parley answer k3x --chat "why?"     talk about it first
  parley answer k3x --cancel          stop the agent here; a task is cancelled
  --same / --only   also for / not for other agents that ask the same

For programs that decide, options counted from 0, one action for each question:
  parley answer k3x --actions '[{"action":"select","optionIndex":1}]'
  select {optionIndex, label?} · multi-select {selectedIndices, labels?, text?}
  type {text} · chat {text}; also --reason "…" --confidence 0.8 --as NAME
What its agent received otherwise is told with the next one under that NAME.

Waits up to 3 s for the proof that the agent received it.
Exit codes: 0 answered · 2 wrong answer · 4 somebody was first · 5 the agent
received something else · 77 asked by the session you are in
`;

export const ANSWER_OPTIONS = {
  message: { type: "string", short: "m", multiple: true, default: [] as string[] },
  text: { type: "string", multiple: true, default: [] as string[] },
  decline: { type: "boolean" },
  chat: { type: "string" },
  cancel: { type: "boolean" },
  same: { type: "boolean" },
  only: { type: "boolean" },
  actions: { type: "string" },
  reason: { type: "string" },
  confidence: { type: "string" },
  as: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

export const answer: Command = async (args, context) => {
  const { terminal, client } = context;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: ANSWER_OPTIONS });
  if (values.help) return (terminal.out(HELP), 0);
  const [id, ...choices] = positionals;
  if (!id) throw new ParleyError("usage", "Which one? parley answer <id> <number>; see: parley ls");
  const ask = await findAsk(client, id);
  if (values.actions !== undefined) return decide(ask, { ...values, actions: values.actions, choices }, context);
  if (values.reason !== undefined || values.confidence !== undefined || values.as !== undefined)
    throw new ParleyError("usage", "--reason, --confidence and --as go with --actions; a note is -m");
  if (ask.outcome) return finish(terminal, tooLate(ask), values.json);
  const settlement = readSettlement(ask, { ...values, choices });
  // Whoever cancels one task is not asked whether all shall be.
  const isForOne = values.only || (settlement.action === "cancel" && !values.same);
  const others = isForOne ? [] : await alsoMeant(ask, values.same ?? false, context);
  const results = await Promise.allSettled(
    [ask, ...others].map((each) => settleAsk(each, settlement, client, terminal)),
  );
  // What was settled is told before what was refused: it cannot be taken back.
  const codes = results.flatMap((each) =>
    each.status === "fulfilled" ? finish(terminal, each.value, values.json) : [],
  );
  for (const each of results) if (each.status === "rejected") throw each.reason;
  return Math.max(...codes);
};

type Decided = Given & { actions: string; reason?: string; confidence?: string; as?: string; json?: boolean };

/** A decider's answer. It is sent even when it is too late, so that the daemon can tell that it came. */
async function decide(ask: AskView, given: Decided, { client, terminal }: Context): Promise<number> {
  const { choices, message, text, decline, chat, cancel } = given;
  if (choices.length + message.length + text.length > 0 || decline || chat !== undefined || cancel)
    throw new ParleyError("usage", "--actions is the whole answer: leave the other one out");
  return finish(terminal, await settleAsk(ask, readDecision(ask, given), client, terminal), given.json);
}

function finish(terminal: Terminal, { ask, sentence, code, told = [] }: Settled, json: boolean | undefined): number {
  const result = safeLine(sentence, { max: 500 });
  const mismatches = told.length === 0 ? {} : { mismatches: told };
  terminal.out(json ? jsonLine({ ...ask, result, ...mismatches }) : `${colourOf(result, terminal.style)(result)}\n`);
  if (!json) for (const text of told) terminal.err(`\n${mismatchLines(text)}`);
  return code;
}
