import type { AskView } from "../protocol/view.ts";

/** What a person may keep on their machine: the question itself is always told. */
export const LEFT_OUT = ["context", "previews"] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/** An Ask as a hub is told of it. `context`: what was said and done before it; `previews`: how it would look, and what could be changed. */
export function toldWithout(view: AskView, without: readonly LeftOut[] = []): AskView {
  const told = { ...view };
  if (without.includes("context")) {
    const { lastText: _1, command: _2, sessionTitle: _3, ...origin } = view.origin;
    told.origin = origin;
    delete told.autopilot;
    delete told.facts;
  }
  if (without.includes("previews")) {
    told.questions = view.questions.map((question) => ({
      ...question,
      options: question.options.map(({ preview: _, ...option }) => option),
    }));
    delete told.diff;
    delete told.editable;
  }
  return told;
}
