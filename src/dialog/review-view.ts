import { describeAnswer } from "../core/words/outcome/describe-answer.ts";
import { entryAnswer, entryError } from "../core/form/entry.ts";
import type { FormState } from "../core/form/form.ts";
import { headerOf } from "../core/ask/header.ts";
import type { Theme } from "./theme.ts";
import { clipped, wrapped } from "./wrap.ts";

export function reviewLines({ questions, entries }: FormState, theme: Theme, width: number): string[] {
  return questions.flatMap((question, i) => {
    const entry = entries[i];
    if (!entry) return [];
    const error = entryError(question, entry);
    const mark = error === undefined ? theme.ok("✓") : theme.error("✗");
    const head = `${mark} ${theme.muted(`${i + 1}.`)} ${theme.text(clipped(headerOf(question), width - 6))}`;
    const answer = wrapped(describeAnswer(question, entryAnswer(entry)), width - 5);
    const said = error === undefined ? answer.map(theme.accent) : [theme.error(error)];
    return [head, ...said.map((line) => `     ${line}`)];
  });
}
