import type { Ask } from "../../core/ask/ask.ts";
import type { ToolCall } from "../../core/ask/tool-call.ts";
import type { Fact } from "../../core/fact/fact.ts";
import { isAllowed } from "../../core/receipt/send.ts";
import { safeLine } from "../../core/text/text.ts";
import { agoWords } from "../../core/words/time.ts";
import type { Store } from "../../store/store.ts";

/** So far back is looked. */
const MOST_BEFORE = 200;

/** What became of the same call here, the last time it was asked about. */
export async function before(store: Store, ask: Ask, call: ToolCall, now: number): Promise<Fact[]> {
  const { project, cwd } = ask.origin;
  const earlier = await store.list({
    kind: "approval",
    order: "newest",
    limit: MOST_BEFORE,
    ...(project !== undefined && { project }),
  });
  const last = earlier.find(
    (each) => each.id !== ask.id && each.outcome && each.origin.cwd === cwd && isSame(each, call),
  );
  if (!last?.outcome) return [];
  const ago = agoWords(last.outcome.at, now);
  const how = "the last time the same call was asked about here";
  if (!isAllowed(last)) {
    const words = last.outcome.answers?.[0]?.note ?? last.outcome.message;
    const why = words === undefined ? "" : `: “${safeLine(words, { max: 120 })}”`;
    const isDenied = last.outcome.type === "answered" || last.outcome.type === "declined";
    return isDenied ? [{ about: "before", text: `was not allowed ${ago}${why}`, how }] : [];
  }
  const said = last.deliveries.flatMap(({ detail }) => detail ?? [])[0];
  const [first = "", ...more] = (said ?? "").trim().split("\n");
  const output = safeLine(first, { max: 160 });
  const result =
    said === undefined
      ? ""
      : output === ""
        ? "; it said nothing"
        : `; its result began “${output}”${more.length > 0 ? " …" : ""}`;
  return [
    {
      about: "before",
      text: `was allowed ${ago}${result}`,
      how: said === undefined ? how : `${how}, and the agent's record of it`,
    },
  ];
}

function isSame({ call, outcome }: Ask, { type, ...wanted }: ToolCall): boolean {
  if (call?.type !== type || outcome?.grant !== undefined) return false;
  return Object.entries(wanted).every(([key, value]) => call[key] === value);
}
