import { AGENTS, sessionAround } from "../../../../agents/agents.ts";
import { readActions } from "../../../../core/ask/answer/action.ts";
import { isDone } from "../../../../core/ask/ask-state.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { nextStep } from "../../../../keys/drive/drive.ts";
import { intentOf, refuseIntent } from "../../../../keys/drive/intent.ts";
import { isShown } from "../../../../keys/match.ts";
import { START } from "../../../../keys/drive/step.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { jsonLine } from "../../json.ts";
import { describeScreen, recognise } from "./keys-look.ts";
import { findTarget, type Target } from "../../keys-target.ts";
import type { Context } from "../../context.ts";
import { colourOf } from "../../../terminal/terminal.ts";

type Options = { server: string | undefined; json: boolean; dryRun: boolean };
/** Four questions with own words take some seconds, on a slow machine many. */
const RECEIPT_MS = 120_000;

/** Contract: the daemon types, so that what is meant is on disk before the first key. */
export async function answerKeys(name: string, given: string, options: Options, context: Context): Promise<number> {
  const { client, terminal } = context;
  const actions = parsed(given);
  const target = await findTarget(name, options.server, client, terminal.env);
  if (options.dryRun) return dryRun(target, actions, options.json, context);
  const { session, pane } = target;
  const at = session === undefined ? { pane: { server: pane.server, id: pane.id } } : { session };
  const inside = sessionAround(terminal.env);
  const body = { ...at, actions, ...(inside !== undefined && { inside }) };
  const { id } = await client.call("answerPane", { body });
  const ask = await ended(id, context);
  const sentence = safeLine(ask.sentence, { max: 500 });
  terminal.out(
    options.json ? jsonLine({ ...ask, result: sentence }) : `${colourOf(sentence, terminal.style)(sentence)}\n`,
  );
  if (ask.state === "mismatched") return 5;
  return ask.state === "verified" ? 0 : 1;
}

function parsed(given: string): unknown[] {
  try {
    const actions: unknown = JSON.parse(given);
    if (Array.isArray(actions)) return actions;
  } catch {}
  throw new ParleyError("usage", `The actions must be a JSON list, such as '[{"action":"select","optionIndex":1}]'`);
}

/** Until the agent's own record says what it received, or the driver has stopped. */
async function ended(id: string, { client }: Context): Promise<AskView> {
  for (const until = performance.now() + RECEIPT_MS; ; await Bun.sleep(50)) {
    const ask = await client.call("getAsk", { id });
    const isStopped = ask.deliveries.some(({ state, released }) => state === "waiting" && released !== undefined);
    if (isDone(ask) || isStopped || performance.now() > until) return ask;
  }
}

async function dryRun(
  target: Target,
  actions: unknown[],
  json: boolean,
  { client, terminal }: Context,
): Promise<number> {
  const { screen, layout, capture } = await recognise(target);
  const { asks } = await client.call("listAsks", { query: { limit: 500 } });
  const isHere = ({ origin: { pane } }: AskView) => pane?.id === target.pane.id && pane.server === target.pane.server;
  const ask = asks.find((each) => isHere(each) && !each.outcome && isShown(screen, each.questions));
  const would = ask && layout ? nextKey() : "no question of this pane is stored: it is looked for when you answer";
  if (json) terminal.out(jsonLine({ screen, ask: ask?.id, would }));
  else terminal.out(`${[...describeScreen(screen), `would: ${safeLine(would)}`].join("\n")}\n`);
  return 0;

  function nextKey(): string {
    const questions = ask?.questions ?? [];
    const intent = intentOf(readActions(questions, actions));
    const refusal = refuseIntent(
      questions,
      intent,
      AGENTS.find(({ name }) => name === ask?.origin.agent)?.screens ?? [],
    );
    if (refusal !== undefined || !layout) return `not begin: ${refusal}`;
    const job = { questions, intent, layout, width: capture.width, height: capture.height };
    const step = nextStep(screen, START, job);
    if (step.type === "stop") return `not begin: ${step.place}: ${step.why}`;
    return `press ${"name" in step.key ? step.key.name : "the text"} first (${step.place})`;
  }
}
