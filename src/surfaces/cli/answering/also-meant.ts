import type { AskView } from "../../../protocol/view.ts";
import { counted } from "../../../core/words/number.ts";
import type { Context } from "../context.ts";
import { sameAs } from "./same.ts";

/** Other agents that ask the same, if the person says that this answer is for them too. */
export async function alsoMeant(ask: AskView, isSaid: boolean, { client, terminal }: Context): Promise<AskView[]> {
  const { asks } = await client.call("listAsks", { query: { limit: 500 } });
  const others = sameAs(ask, asks);
  if (others.length === 0 || isSaid) return others;
  if (!terminal.isTty || !terminal.ask) return [];
  const reply = await terminal.ask(
    `${counted(others.length, "other agent")} asked the same. Give them this answer too? [y/N] `,
  );
  return /^y(es)?$/i.test(reply?.trim() ?? "") ? others : [];
}
