import { connectHub, type HubClient } from "../../../../client/hub-client.ts";
import { ERRORS, ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { answeredWords, takenBackWords } from "../../../../core/words/hub-words.ts";
import { pause } from "../../../../machine/time/pause.ts";
import type { HubAskView } from "../../../../protocol/hub/hub.ts";
import { colourOf } from "../../../terminal/terminal.ts";
import type { Context } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { hubMismatches, noteHubAnswer } from "../../answering/hub-answers.ts";
import { exitOfAnswer } from "../../answering/hub-exit.ts";
import { mismatchLines } from "../../answering/tell-mismatches.ts";
import { jsonLine } from "../../json.ts";
import { type Given, readSettlement } from "../../answering/settlement.ts";

const RECEIPT_MS = Number(process.env["PARLEY_RECEIPT_MS"]) || 3000;
const LOOK_MS = 100;
const TOO_LATE = ERRORS.already_settled.exit;

/** Answers what another machine asks. It is a person's answer there, so nobody else gives it. */
export async function answerInHub(id: string, given: Given & { json: boolean }, context: Context): Promise<number> {
  await refuseAgents("hub-answer", context);
  const hub = await connectHub(context.terminal.env);
  const ask = await hub.ask(id);
  const { action, answers, message } =
    ask.state === "open" ? readSettlement(ask, given, " --hub") : { action: "decline" as const };
  const settlement = {
    action,
    version: ask.version,
    ...(answers && { answers }),
    ...(message !== undefined && { message }),
  };
  const sent = await hub.answer(ask.id, settlement).catch(async (error: unknown) => {
    if (!(error instanceof ParleyError) || error.code !== "already_settled") throw error;
    return tell(await hub.ask(ask.id), `✗ too late: ${error.message}`, given.json, context, { code: TOO_LATE });
  });
  if (typeof sent === "number") return sent;
  noteHubAnswer(context.paths, { hub: hub.url, ask: ask.id });
  const after = await receipt(sent, hub);
  const told = await hubMismatches(context.paths, hub);
  if (after.state === "mismatched") return tell(after, after.sentence, given.json, context, { code: 5, told });
  const words = answeredWords(after, Date.now(), "; see: parley ls --hub");
  return tell(after, words, given.json, context, { code: exitOfAnswer(after), told });
}

/** Its own machine alone knows whether it has it: until it says so the answer is on its way. */
export async function takeBackInHub(id: string, json: boolean, context: Context): Promise<number> {
  await refuseAgents("hub-answer", context);
  const hub = await connectHub(context.terminal.env);
  const asked = await hub.takeBack((await hub.ask(id)).id).catch(async (error: unknown) => {
    if (!(error instanceof ParleyError) || error.code !== "already_settled") throw error;
    return tell(await hub.ask(id), `✗ ${error.message}`, json, context, { code: TOO_LATE });
  });
  if (typeof asked === "number") return asked;
  const after = await receipt(asked, hub);
  const isTooLate = after.intent?.state === "received" || after.intent?.state === "overtaken";
  return tell(after, takenBackWords(after), json, context, { code: isTooLate ? TOO_LATE : 0 });
}

function tell(
  ask: HubAskView,
  sentence: string,
  json: boolean,
  { terminal }: Context,
  { told = [], code }: { told?: string[]; code: number },
): number {
  const result = safeLine(sentence, { max: 500 });
  const mismatches = told.length === 0 ? {} : { mismatches: told };
  terminal.out(json ? jsonLine({ ...ask, result, ...mismatches }) : `${colourOf(result, terminal.style)(result)}\n`);
  if (!json) for (const text of told) terminal.err(`\n${mismatchLines(text)}`);
  return code;
}

/** What its machine says, if that comes soon; else it is on its way, and nothing more is to be done here. */
async function receipt(sent: HubAskView, hub: HubClient): Promise<HubAskView> {
  let ask = sent;
  const isWaiting = () => ask.intent?.state === "sent" && ask.machine.online;
  for (const until = performance.now() + RECEIPT_MS; isWaiting() && performance.now() < until; await pause(LOOK_MS))
    // It is taken: a hub that goes away now changes nothing about that.
    ask = await hub.ask(ask.id).catch(() => ask);
  return ask;
}
