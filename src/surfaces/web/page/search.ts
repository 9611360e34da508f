import type { AskView } from "../../../protocol/view.ts";

const known = new WeakMap<AskView, string>();

/** Everything a person may remember of a question, in one lower-case text. */
export function searchable(ask: AskView): string {
  const found = known.get(ask);
  if (found !== undefined) return found;
  const { id, kind, agentTitle, origin, questions, sentence } = ask;
  const texts = questions.flatMap(({ text, header, body, options }) => [
    text,
    header,
    body,
    ...options.map((o) => o.label),
  ]);
  const all = [id, kind, agentTitle, origin.project, origin.branch, sentence, ...texts].join("\n").toLowerCase();
  known.set(ask, all);
  return all;
}
