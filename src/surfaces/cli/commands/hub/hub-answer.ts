import { connectHub, type HubClient } from "../../../../client/hub-client.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { byWhom, halvesWords } from "../../../../core/words/hub-words.ts";
import { ageOf } from "../../../../core/words/time.ts";
import { pause } from "../../../../machine/time/pause.ts";
import type { HubAskView } from "../../../../protocol/hub/hub.ts";
import { colourOf } from "../../../terminal/terminal.ts";
import type { Context } from "../../context.ts";
import { refuseAgents } from "../../guard.ts";
import { jsonLine } from "../../json.ts";
import { type Given, readSettlement } from "../../answering/settlement.ts";

const RECEIPT_MS = Number(process.env["PARLEY_RECEIPT_MS"]) || 3000;
const LOOK_MS = 100;

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
    return tell(await hub.ask(ask.id), `✗ too late: ${error.message}`, 4, given.json, context);
  });
  if (typeof sent === "number") return sent;
  const after = await receipt(sent, hub);
  return tell(after, ...said(after), given.json, context);
}

/** Its own machine alone knows whether it has it: until it says so the answer is on its way. */
export async function takeBackInHub(id: string, json: boolean, context: Context): Promise<number> {
  await refuseAgents("hub-answer", context);
  const hub = await connectHub(context.terminal.env);
  const asked = await hub.takeBack((await hub.ask(id)).id).catch(async (error: unknown) => {
    if (!(error instanceof ParleyError) || error.code !== "already_settled") throw error;
    return tell(await hub.ask(id), `✗ ${error.message}`, 4, json, context);
  });
  if (typeof asked === "number") return asked;
  const after = await receipt(asked, hub);
  const { intent, machine } = after;
  const name = safeLine(machine.name, { max: 40 });
  if (intent === undefined || intent.state === "withdrawn") return tell(after, "✓ taken back", 0, json, context);
  if (intent?.state === "sent")
    return tell(
      after,
      `… ${name} is asked to give it back, and says whether it can when it is there`,
      0,
      json,
      context,
    );
  return tell(after, `✗ too late: ${name} has it`, 4, json, context);
}

function tell(ask: HubAskView, sentence: string, code: number, json: boolean, { terminal }: Context): number {
  const result = safeLine(sentence, { max: 500 });
  terminal.out(json ? jsonLine({ ...ask, result }) : `${colourOf(result, terminal.style)(result)}\n`);
  return code;
}

/** What its machine says, if that comes soon; else it is on its way, and nothing more is to be done here. */
async function receipt(sent: HubAskView, hub: HubClient): Promise<HubAskView> {
  let ask = sent;
  const isWaiting = () => ask.intent?.state === "sent" && ask.machine.online;
  for (const until = performance.now() + RECEIPT_MS; isWaiting() && performance.now() < until; await pause(LOOK_MS))
    ask = await hub.ask(ask.id);
  return ask;
}

function said({ intent, machine, halves, questions }: HubAskView): [string, number] {
  const name = safeLine(machine.name, { max: 40 });
  if (halves && (intent === undefined || intent.state === "withdrawn"))
    return [`… ${halvesWords(halves, questions)}`, 0];
  if (intent?.state === "received" && intent.with) return [`✓ ${byWhom(intent)} agree; received by ${name}`, 0];
  if (intent?.state === "received") return [`✓ received by ${name}`, 0];
  if (intent?.state === "overtaken" || intent?.state === "withdrawn")
    return [`✗ ${intent.state} on ${name}${intent.detail === undefined ? "" : `: ${intent.detail}`}`, 4];
  const away = machine.online
    ? ""
    : `, which is away${machine.seenAt === undefined ? "" : ` since ${ageOf(machine.seenAt, Date.now())}`}`;
  return [`… sent to ${name}${away}; see: parley ls --hub`, 0];
}
