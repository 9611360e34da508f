import type { Client } from "../../client/client.ts";
import type { AskView } from "../../protocol/view.ts";
import { adviceAfter } from "../../core/receipt/mismatch.ts";
import { SURFACE } from "./action/inbox-actions.ts";
import type { Model } from "./model.ts";
import { nameOf } from "./draw/status-line.ts";

type Deps = { client: Client; model: Model; repaint: () => void };

/** Says, once, what a person answered in the inbox and the agent received otherwise, also of an earlier time. */
export function createMismatchNews({ client, model, repaint }: Deps) {
  const seen = new Set<string>();

  return (asks: readonly AskView[]): void => {
    const news = asks.filter(({ id, state, told }) => state === "mismatched" && !told && !seen.has(id));
    for (const { id } of news) seen.add(id);
    if (news.length > 0) void tell(news).catch(() => news.forEach(({ id }) => seen.delete(id)));
  };

  async function tell(news: readonly AskView[]): Promise<void> {
    const { mismatches } = await client.call("tellMismatches", { body: { surface: SURFACE } });
    for (const { ask: id } of mismatches) {
      const ask = model.asks.get(id) ?? news.find((each) => each.id === id);
      if (ask)
        model.say(`✗ ${nameOf(ask)}: ${ask.sentence.replace(/^✗ /, "")}. ${adviceAfter(ask.agentTitle)}`, "error");
    }
    repaint();
  }
}
