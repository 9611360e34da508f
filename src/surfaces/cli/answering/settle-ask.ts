import { sessionAround } from "../../../agents/agents.ts";
import type { Client } from "../../../client/client.ts";
import { describeAnswers } from "../../../core/words/outcome/describe-answer.ts";
import { isDone } from "../../../core/ask/ask-state.ts";
import { endsTask, goesToTask, isDismissed } from "../../../core/ask/ask-state.ts";
import { ParleyError } from "../../../core/error.ts";
import { shortId } from "../../../core/id.ts";
import { describeOutcome } from "../../../core/words/outcome/sentence.ts";
import { safeLine } from "../../../core/text/text.ts";
import type { CallOf } from "../../../protocol/contract.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** `told`: what its decider should know of this answer and of earlier ones that the agent received otherwise. */
export type Settled = { ask: AskView; sentence: string; code: number; told?: readonly string[] };
export type Settlement = NonNullable<CallOf<"settleAsk">["body"]>;
/** On a very busy machine an agent's record comes later than a person wants to wait for it. */
const ASKED_MS = Number(process.env["PARLEY_RECEIPT_MS"]);
const RECEIPT_MS = ASKED_MS || 3000;
/** A task that waits without its agent gets one first; one that is cancelled ends its agent. */
const RESUMED_RECEIPT_MS = ASKED_MS || 10_000;

/** What goes to the daemon: what was decided, on which version, where, and from inside which agent's session, if any. */
export function settling(ask: AskView, settlement: Settlement, surface: string, env: Terminal["env"]): Settlement {
  const session = sessionAround(env);
  return { ...settlement, version: ask.version, surface, ...(session !== undefined && { session }) };
}

/** Settles an Ask for the person at this terminal and waits for the proof; a lost race is told, not thrown. */
export async function settleAsk(
  ask: AskView,
  settlement: Settlement,
  client: Client,
  { env }: Terminal,
  surface = "cli",
): Promise<Settled> {
  const body = settling(ask, settlement, surface, env);
  const { session, decision } = body;
  const decider = {
    surface,
    ...(session !== undefined && { session }),
    ...(decision && { program: decision.program ?? "" }),
  };
  return proven(ask, client, () => client.call("settleAsk", { id: ask.id, body }), decider);
}

/** Does what settles an Ask, and waits for the proof. */
export async function proven(
  ask: AskView,
  client: Client,
  settle: () => Promise<AskView>,
  decider: CallOf<"tellMismatches">["body"] = { surface: "cli" },
): Promise<Settled> {
  let told: string[];
  try {
    const taken = await settle();
    told = (taken.mismatches ?? []).map(({ text }) => text);
    // The answer of a brain that was asked: it is held for a while, or only suggested.
    if (!taken.outcome) return { ask: taken, sentence: `… taken; see: parley show ${shortId(ask.id)}`, code: 0, told };
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== "already_settled") throw error;
    return tooLate(await client.call("getAsk", { id: ask.id }));
  }
  const after = await receipt(client, ask);
  if (after.state === "mismatched")
    told.push(...(await client.call("tellMismatches", { body: decider })).mismatches.map(({ text }) => text));
  return { ask: after, sentence: after.sentence, code: exitOf(after), told };
}

export function tooLate(ask: AskView): Settled {
  return { ask, sentence: lateSentence(ask), code: 4 };
}

/** Waits until the agent's own record says what it received, or nobody is there to take it. */
async function receipt(client: Client, { id, reachable }: AskView): Promise<AskView> {
  const began = performance.now();
  for (let patience = RECEIPT_MS; ; await Bun.sleep(25)) {
    const ask = await client.call("getAsk", { id });
    const resumes = goesToTask(ask);
    if (resumes || endsTask(ask)) patience = RESUMED_RECEIPT_MS;
    if (isDone(ask) || performance.now() - began > patience) return ask;
    const isHeld = reachable || ask.reachable;
    const nobodyTakesIt = ask.deliveries.every((d) => d.channel === "fetch" || d.released !== undefined);
    if (ask.state === "settled" && !isHeld && nobodyTakesIt && !resumes) return ask;
  }
}

function lateSentence(ask: AskView): string {
  const { outcome, questions } = ask;
  if (outcome?.actor.type === "system" || outcome?.type === "overtaken") return ask.sentence;
  if (outcome?.actor.surface !== "terminal") return `✗ too late: ${describeOutcome(ask, Date.now())}`;
  const said = outcome.answers ? describeAnswers(questions, outcome.answers) : outcome.type;
  return `✗ the terminal was first: ${safeLine(said, { max: 200 })}`;
}

function exitOf(ask: AskView): number {
  if (endsTask(ask) || (ask.outcome && isDismissed(ask.outcome))) return 0;
  if (ask.state === "mismatched") return 5;
  return ask.state === "closed" ? 4 : 0;
}
