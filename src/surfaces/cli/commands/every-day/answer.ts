import { ParleyError } from "../../../../core/error.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { findAsk } from "../../find-ask.ts";
import { alsoMeant } from "../../answering/also-meant.ts";
import { readDecision, readScreening } from "../../answering/read-actions.ts";
import { defineCommand, type Input, type Option } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { tellSettled } from "../../answering/tell-settled.ts";
import { answerInBulk } from "../../answering/bulk.ts";
import { allowChanged } from "../../answering/edit-call.ts";
import { giveGrant } from "../../answering/give-grant.ts";
import { offerFor, proposalLines } from "../../answering/proposal-lines.ts";
import { type Given, readSettlement } from "../../answering/settlement.ts";
import { settleAsk, type Settled, tooLate } from "../../answering/settle-ask.ts";

export const ANSWER_OPTIONS = {
  message: { short: "m", value: "WORDS", repeatable: true, description: "a note; alone: your own words (Other)" },
  text: { value: "WORDS", repeatable: true, description: "your own words, beside options too" },
  field: { value: "NAME=VALUE", repeatable: true, description: "a form's field; NAME=- reads it from standard input" },
  decline: { description: "no answer; -m says why. A call is denied" },
  chat: { value: "WORDS", description: "talk about it first" },
  cancel: { description: "stop the agent, as Esc does; a task is cancelled" },
  same: { description: "also for other agents that ask the same" },
  only: { description: "only this one, without asking" },
  grant: { value: "END", description: "approve it and calls like it: 30m, 10x, task, plan" },
  pattern: { value: "PATTERN", description: "with --grant: what it matches; else this very call" },
  folder: { value: "FOLDER", description: "with --grant: where; else here" },
  bulk: { description: "all approvals that wait, or those named" },
  edit: { description: "approves it, changed in your $EDITOR" },
  change: { value: "TEXT", description: "approves it, changed to this" },
  yes: { short: "y", description: "with --grant, --bulk, --edit: do not ask" },
  actions: { value: "JSON", description: "a program's answer: one action for each question" },
  reason: { value: "WORDS", description: "with --actions: why" },
  confidence: { value: "N", description: "with --actions: how sure it is, 0 to 1" },
  as: { value: "NAME", description: "with --actions: what the program calls itself" },
  hub: { description: "over the hub in PARLEY_HUB" },
  "take-back": { description: "with --hub: your answer, unless its machine has it" },
  verdict: { value: "JSON", description: "a brain's: what its answer rests on" },
} as const satisfies Record<string, Option>;
const WHICH = "Which one? parley answer <id> <number>; see: parley ls";

export const command = defineCommand({
  usage: ["<id> [choice…] [options]"],
  about: "Answers a question; waits up to 3 s for the proof that the agent received it.",
  options: ANSWER_OPTIONS,
  // The first one is the id, with --bulk all of them are.
  positionals: { words: { optional: true, repeatable: true, of: "ask" } },
  needs: WHICH,
  examples: [
    ["parley answer k3x 2", 'option 2; 1,3 for several; or "Option B"'],
    ["parley answer k3x 2 1,3", "one choice for each question, in order"],
    ['parley answer k3x 2 -m "but small"', "option 2, with a note"],
    ['parley answer k3x 1 q3=2 -m "q2=…"', "qN= names a later question"],
  ],
  notes: `Actions count from 0: select {optionIndex, label?} · type {text} · chat {text} ·
multi-select {selectedIndices, labels?, text?}.

Exit codes: 0 answered · 2 wrong answer · 4 somebody was first · 5 the agent
received something else · 77 asked by your session, or not yours to answer`,
  async run({ words: [id, ...choices], ...values }, context) {
    if (values.bulk) {
      if (values.actions !== undefined || values.grant !== undefined)
        throw new ParleyError("usage", "--bulk approves each once, or denies it: leave the rest out");
      return answerInBulk({ ...values, ids: id === undefined ? [] : [id, ...choices] }, context);
    }
    if (id === undefined) throw new ParleyError("usage", WHICH);
    if (values["take-back"] && !values.hub)
      throw new ParleyError("usage", "--take-back is for an answer on its way through a hub: add --hub");
    if (values.hub) return overHub({ ...values, id, choices }, context);
    return answerAsk({ ...values, id, choices }, context);
  },
});

type AnswerInput = Input<typeof ANSWER_OPTIONS, { id: {}; choices: { repeatable: true } }>;

export async function answerAsk({ id, choices, ...values }: AnswerInput, context: Context): Promise<number> {
  const { terminal, client } = context;
  const ask = await findAsk(client, id);
  if (values.bulk) throw new ParleyError("usage", "--bulk is for approvals: parley answer --bulk");
  if (values.verdict !== undefined && values.actions === undefined) return screen(ask, values, context);
  if (values.actions !== undefined) return decide(ask, { ...values, actions: values.actions, choices }, context);
  if (values.reason !== undefined || values.confidence !== undefined || values.as !== undefined)
    throw new ParleyError("usage", "--reason, --confidence and --as need --actions; a note is -m");
  if (values.grant !== undefined) return giveGrant(ask, { ...values, grant: values.grant, choices }, context);
  const isChanged = values.edit || values.change !== undefined;
  if (values.pattern !== undefined || values.folder !== undefined || (values.yes && !isChanged))
    throw new ParleyError("usage", "--pattern, --folder and --yes need --grant");
  if (ask.outcome) return tellSettled(tooLate(ask), values.json, terminal);
  if (isChanged) return tellSettled(await allowChanged(ask, { ...values, choices }, context), values.json, terminal);
  const field = await withTyped(values.field);
  const settlement = readSettlement(ask, { ...values, field, choices });
  // Whoever cancels one task is not asked whether all shall be.
  const isForOne = values.only || (settlement.action === "cancel" && !values.same);
  const others = isForOne ? [] : await alsoMeant(ask, values.same, context);
  const results = await Promise.allSettled(
    [ask, ...others].map((each) => settleAsk(each, settlement, client, terminal)),
  );
  // What was settled is told before what was refused: it cannot be taken back.
  const codes: number[] = [];
  for (const each of results)
    if (each.status === "fulfilled")
      codes.push(
        tellSettled(each.value, values.json, terminal, values.json ? await proposedWith(each.value, context) : {}),
      );
  for (const each of results) if (each.status === "rejected") throw each.reason;
  const [first] = results;
  if (!values.json && first?.status === "fulfilled" && first.value.code === 0)
    await tellProposal(first.value.ask, context);
  return Math.max(...codes);
}

/** What changes the call, or allows more than it, is given where it is asked. */
async function overHub({ id, choices, ...values }: AnswerInput, context: Context): Promise<number> {
  const { grant, change, edit, actions, verdict, same } = values;
  if ([grant, change, actions, verdict].some((each) => each !== undefined) || edit || same)
    throw new ParleyError("usage", "With --hub: an answer, --decline, --chat or --cancel");
  const { answerInHub, takeBackInHub } = await import("../hub/hub-answer.ts");
  if (values["take-back"]) return takeBackInHub(id, values.json, context);
  return answerInHub(id, { ...values, choices }, context);
}

/** For a program: the grant that is proposed now, as `parley grants` and `--grant` take it. */
async function proposedWith({ ask, code }: Settled, { client }: Context): Promise<object> {
  if (ask.kind !== "approval" || code !== 0) return {};
  const proposal = (await offerFor(client, ask))?.proposal;
  return proposal ? { proposal } : {};
}

/** After equal approvals, once the answer is told. */
async function tellProposal(ask: AskView, { client, terminal }: Context): Promise<void> {
  if (ask.kind !== "approval") return;
  for (const line of proposalLines(ask, await offerFor(client, ask), terminal)) terminal.out(`${line}\n`);
}

type Decided = Given & {
  actions: string;
  reason?: string;
  confidence?: string;
  as?: string;
  verdict?: string;
  json: boolean;
};

/** What a brain says before it is asked for its answer. */
async function screen(ask: AskView, given: { verdict?: string; as?: string; json: boolean }, context: Context) {
  const { client, terminal } = context;
  return tellSettled(await settleAsk(ask, readScreening(given), client, terminal), given.json, terminal);
}

/** A secret on the command line would stand in the shell's history. */
async function withTyped(fields: readonly string[]): Promise<string[]> {
  const typed = fields.filter((field) => field.endsWith("=-"));
  if (typed.length > 1) throw new ParleyError("usage", "Only one --field can be read from standard input");
  const [text] = typed.length === 0 ? [] : [(await Bun.stdin.text()).replace(/\r?\n$/, "")];
  return fields.map((field) => (field.endsWith("=-") ? `${field.slice(0, -1)}${text ?? ""}` : field));
}

/** A decider's answer. It is sent even when it is too late, so that the daemon can tell that it came. */
async function decide(ask: AskView, given: Decided, { client, terminal }: Context): Promise<number> {
  const { choices, message, text, decline, chat, cancel } = given;
  if (choices.length + message.length + text.length > 0 || decline || chat !== undefined || cancel)
    throw new ParleyError("usage", "--actions is the whole answer: leave the other one out");
  return tellSettled(await settleAsk(ask, readDecision(ask, given), client, terminal), given.json, terminal);
}
