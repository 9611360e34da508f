import type { AskView } from "../protocol/view.ts";

/** What a person may keep on their machine: the question itself is always told. */
export const LEFT_OUT = ["context", "previews"] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/** An Ask as a hub is told of it. `context`: what was said and done before it; `previews`: how it would look, and what could be changed. */
export function toldWithout(view: AskView, without: readonly LeftOut[] = []): AskView {
  const told = { ...view };
  if (without.includes("context")) {
    told.origin = { ...view.origin };
    for (const part of ["lastText", "command", "sessionTitle"] as const) delete told.origin[part];
    delete told.autopilot;
    delete told.facts;
  }
  if (without.includes("previews")) {
    told.questions = view.questions.map((question) => ({
      ...question,
      options: question.options.map((option) => {
        const shown = { ...option };
        delete shown.preview;
        return shown;
      }),
    }));
    delete told.diff;
    delete told.editable;
  }
  return told;
}
