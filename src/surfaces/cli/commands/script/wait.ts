import { createClient } from "../../../../client/client.ts";
import { ParleyError } from "../../../../core/error.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { findAsk } from "../../find-ask.ts";
import { jsonLine } from "../../json.ts";
import { answerLines, assumptionHeld, OUTCOME_EXIT, STILL_OPEN } from "../../../terminal/outcome.ts";
import { defineCommand } from "../../command-line/define.ts";
import type { Context } from "../../context.ts";
import { timeSpan } from "../../../terminal/time-span.ts";

const ROUND_MS = 30_000;

export const command = defineCommand({
  about: "Waits for the answer to a question asked with `parley ask --no-wait`, and prints it.",
  options: { timeout: { value: "TIME", description: "stop waiting after 90s, 10m or 2h; the question stays open" } },
  positionals: { id: { of: "ask" } },
  needs: "Give one id: parley wait <id>",
  notes: `Exit codes: 0 answered · 10 declined · 11 expired · 12 cancelled · 13 chat ·
14 still open`,
  async run({ id, timeout, json }, context) {
    const { id: whole } = await findAsk(context.client, id);
    return waitFor(whole, timeout === undefined ? undefined : timeSpan(timeout, "--timeout"), json, context);
  },
});

export async function waitFor(
  id: string,
  patienceMs: number | undefined,
  json: boolean,
  context: Context,
): Promise<number> {
  return tell(await outcomeOf(id, patienceMs, context), json, context.terminal);
}

/** Takes the outcome as the asker: that is its receipt. A daemon that restarts meanwhile is waited for. */
export async function outcomeOf(
  id: string,
  patienceMs: number | undefined,
  { client, paths }: Pick<Context, "client" | "paths">,
): Promise<AskView> {
  const asker = createClient(paths, { as: "agent" });
  const until = patienceMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + patienceMs;
  for (;;) {
    const left = Math.min(until - performance.now(), ROUND_MS);
    const { outcome } = await asker
      .call("receiveAnswer", { id, query: { wait: Math.max(0, Math.round(left)) } })
      .catch(unlessAway);
    if (outcome) break;
    if (performance.now() >= until) break;
  }
  return client.call("getAsk", { id });
}

async function unlessAway(error: unknown): Promise<{ outcome?: undefined }> {
  if (!(error instanceof ParleyError) || !error.code.startsWith("daemon_")) throw error;
  await Bun.sleep(1000);
  return {};
}

function tell(ask: AskView, json: boolean, { out, err, style }: Context["terminal"]): number {
  const { outcome } = ask;
  const held = assumptionHeld(ask, outcome);
  const code = outcome ? (OUTCOME_EXIT[outcome.type] ?? 1) : STILL_OPEN;
  if (json) return (out(jsonLine({ ...ask, ...(held !== undefined && { assumptionHeld: held }) })), code);
  if (outcome) out(answerLines(ask, outcome));
  if (held !== undefined)
    err(held ? "The answer confirms the assumption.\n" : style.yellow("The answer contradicts the assumption.\n"));
  if (code !== 0) err(`${safeLine(ask.sentence, { max: 500 })}\n`);
  return code;
}
