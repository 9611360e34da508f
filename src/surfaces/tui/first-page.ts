import type { Client } from "../../client/client.ts";
import type { AskView } from "../../protocol/view.ts";

export type FirstPage = { asks: AskView[]; next: string | undefined; seq: number };

/** What fits on a screen. */
const FIRST = 60;

/** What waits longest, and the place in the log from which on everything is news. */
export async function firstPage(client: Client): Promise<FirstPage> {
  // Before the look at the list: what happens between the two is looked at again, not missed.
  const { events } = await client.call("readLog", { query: { tail: "true", limit: 1 } });
  const { asks, next } = await client.call("listAsks", { query: { state: "open", limit: FIRST } });
  return { asks, next, seq: events.at(-1)?.seq ?? 0 };
}
