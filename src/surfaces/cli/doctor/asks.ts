import type { Client } from "../../../client/client.ts";
import type { AskView } from "../../../protocol/view.ts";
import { waitingWords } from "../../../core/words/ask-words.ts";
import { type Finding, note, ok } from "../../../core/finding.ts";

/** A receipt takes a second at most; what has none after this has lost its way. */
const RECEIPT_MS = 60_000;
const A_DAY = 86_400_000;

/** Questions and answers that will not move by themselves. */
export async function checkAsks(client: Client, now: number): Promise<Finding[]> {
  const list = async (state: "active" | "mismatched") =>
    (await client.call("listAsks", { query: { state, limit: 500 } })).asks;
  const [active, mismatched] = await Promise.all([list("active"), list("mismatched")]);
  const stuck = [
    some(
      active.filter((ask) => isKept(ask) && isFetched(ask)),
      "answer is saved: whoever asked for it has not come back",
      "answers are saved: whoever asked for them has not come back",
      {
        fix: "parley wait ID prints it; see: parley ls --state settled",
      },
    ),
    some(
      active.filter((ask) => isKept(ask) && !isFetched(ask)),
      "answer is saved: its agent has not picked it up",
      "answers are saved: their agents have not picked them up",
      {
        fix: "resume the session; see: parley ls --state settled",
      },
    ),
    some(
      active.filter(isAlone),
      "question can only be answered in its terminal",
      "questions can only be answered in their terminals",
      {
        fix: "see: parley ls",
      },
    ),
    some(
      active.filter((ask) => isUnproven(ask, now)),
      "answer was sent and never confirmed",
      "answers were sent and never confirmed",
      {
        fix: "see: parley ls --state delivered",
      },
    ),
    some(
      mismatched.filter(({ updatedAt }) => now - updatedAt < A_DAY),
      "answer of the last day reached its agent differently",
      "answers of the last day reached their agents differently",
      {
        fix: "see: parley ls --state mismatched",
      },
    ),
  ].flat();
  const open = active.filter(({ state }) => state === "open").length;
  const waits = open === 0 ? "nothing waits for you" : waitingWords(open);
  return stuck.length > 0 ? stuck : [ok("asks", `${waits}, no answer is stuck`)];
}

function some(asks: readonly AskView[], one: string, several: string, { fix }: { fix: string }): Finding[] {
  if (asks.length === 0) return [];
  return [note("asks", `${asks.length} ${asks.length === 1 ? one : several}`, fix)];
}

const isFetched = ({ deliveries }: AskView) =>
  deliveries.every(({ channel }) => channel === "fetch" || channel === "self");
const isKept = (ask: AskView) => ask.state === "settled" && !ask.reachable;
const isAlone = (ask: AskView) => ask.state === "open" && !ask.reachable && !isFetched(ask);
const isUnproven = (ask: AskView, now: number) => ask.state === "delivered" && now - ask.updatedAt > RECEIPT_MS;
