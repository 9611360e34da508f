import { ParleyError } from "../../../core/error.ts";
import type { AskView } from "../../../protocol/view.ts";
import type { Context } from "../context.ts";
import { findAsk } from "../find-ask.ts";
import { jsonLine } from "../json.ts";
import { TELLS } from "../../../core/words/trust-words.ts";
import { readSettlement } from "./settlement.ts";

/** What a person says afterwards about one answer in their place. */
export async function review(
  typed: string,
  said: "agree" | "withdraw",
  json: boolean,
  context: Context,
): Promise<number> {
  const { client, terminal } = context;
  const { id } = await findAsk(client, typed);
  const verdict = said === "agree" ? "agreed" : "withdrawn";
  const found = await client.call("reviewAsk", { id, body: { verdict, surface: "cli" } });
  const sentence = said === "agree" ? "✓ noted: it counts for the trust" : "✓ withdrawn: it begins anew";
  terminal.out(json ? jsonLine(found) : `${sentence}\n`);
  return 0;
}

/** `2`, or `= words`: as in `parley review`. */
export async function correct(
  ask: AskView,
  words: readonly string[],
  json: boolean,
  { client, terminal }: Context,
): Promise<number> {
  const at = words.indexOf("=");
  const own = at < 0 ? "" : words.slice(at + 1).join(" ");
  const choices = at < 0 ? [...words] : words.slice(0, at);
  const given = { choices, message: [], text: own === "" ? [] : [own], decline: false, cancel: false };
  const settlement = readSettlement(ask, given);
  if (settlement.action !== "answer") throw new ParleyError("usage", "An answer is needed: its number, or = words");
  const answers = settlement.answers as NonNullable<AskView["outcome"]>["answers"];
  const body = { verdict: "corrected" as const, surface: "cli", ...(answers && { answers }) };
  const { told, tells, ask: after } = await client.call("reviewAsk", { id: ask.id, body });
  const where = told ? "its agent is told" : TELLS[tells];
  terminal.out(json ? jsonLine({ ask: after, told, tells }) : `✓ corrected: ${where}\n`);
  return 0;
}
