import { describeAnswers } from "../../../../core/words/outcome/describe-answer.ts";
import type { AskView } from "../../../../protocol/view.ts";

const known = new WeakMap<AskView, string>();

/** Everything a person may remember of a question, in one lower-case text. */
export function searchable(ask: AskView): string {
  const found = known.get(ask);
  if (found !== undefined) return found;
  const { id, kind, agentTitle, origin, questions, sentence, outcome } = ask;
  const texts = questions.flatMap(({ text, title, header, body, options }) => [
    title,
    text,
    header,
    body,
    ...options.map((o) => o.label),
  ]);
  const { actor, reason, message, answers } = outcome ?? {};
  const said = [
    actor?.type,
    actor?.name,
    actor?.surface,
    reason,
    message,
    answers && describeAnswers(questions, answers),
  ];
  const from = [agentTitle, origin.project, origin.sessionTitle, origin.branch];
  const all = [id, kind, ...from, sentence, ...said, ...texts].join("\n").toLowerCase();
  known.set(ask, all);
  return all;
}
