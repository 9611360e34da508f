import { aboutOption } from "../../core/words/option-about.ts";
import type { LogEvent } from "../../core/ask/event.ts";
import type { Question } from "../../core/ask/question.ts";
import { shortId } from "../../core/id.ts";
import { codeSpan, escapedLine, fenced } from "../../core/text/markdown-escape.ts";
import { factLine, FACTS_HEADING } from "../../core/words/fact-words.ts";
import { endWords, patternTitle } from "../../core/words/grant-words.ts";
import type { GrantView } from "../../protocol/grant.ts";
import type { AskView } from "../../protocol/view.ts";
import { whyWords } from "./why-words.ts";

/** An Ask with all that is known of it, to be pasted where others read Markdown. `grants`: that allowed it, or was given with it. */
export function askMarkdown(
  ask: AskView,
  { events, grants, now }: { events: readonly LogEvent[]; grants: readonly GrantView[]; now: number },
): string {
  const { id, kind, title, sentence, questions, outcome, diff, facts = [] } = ask;
  const { changed } = outcome ?? {};
  const [first] = questions;
  const parts = [
    `### ${codeSpan(title ?? first?.text ?? kind)}`,
    `${kind === "question" ? "Question" : `Asked for leave (${kind})`} ${codeSpan(shortId(id))}: ${escapedLine(sentence)}`,
    ...questions.flatMap((question, i) => questionParts(question, outcome?.answers?.[i])),
    ...(diff === undefined ? [] : ["**What it changes**", fenced(diff, "diff")]),
    ...(facts.length === 0
      ? []
      : [
          `**${FACTS_HEADING.replace(/:$/, "")}**`,
          facts
            .map(factLine)
            .map(({ text, how }) => `- ${codeSpan(text)} (${escapedLine(how)})`)
            .join("\n"),
        ]),
    ...(changed ? [`**The ${changed.what} was changed before it was allowed**`, fenced(changed.diff, "diff")] : []),
    ...grants.map(
      (grant) =>
        `**Grant** ${codeSpan(shortId(grant.id))}: ${codeSpan(patternTitle(grant.pattern))} in ${codeSpan(grant.folder)}, ` +
        `until ${escapedLine(endWords(grant.end, now))}; ${escapedLine(grant.sentence)}`,
    ),
    "**What became of it**",
    whyWords({ ...ask, ...(outcome && { outcome: withoutChange(outcome) }) }, events, now)
      .map((words) => `- ${escapedLine(words)}`)
      .join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The difference has a block of its own. */
function withoutChange(outcome: NonNullable<AskView["outcome"]>): NonNullable<AskView["outcome"]> {
  const { changed: _shown, ...rest } = outcome;
  return rest;
}

type Answered = NonNullable<NonNullable<AskView["outcome"]>["answers"]>[number] | undefined;

function questionParts({ text, body, options }: Question, answer: Answered): string[] {
  const rows = options.map((option, i) => {
    const about = aboutOption(option);
    const more = about === "" ? "" : ` – ${escapedLine(about, 300)}`;
    return `- [${answer?.picks.includes(i) ? "x" : " "}] ${codeSpan(option.label)}${more}`;
  });
  const own = answer?.secret || answer?.text === undefined ? [] : [`- [x] ${codeSpan(answer.text, 2000)}`];
  return [
    escapedLine(text, 2000),
    ...(body === undefined || body.trim() === "" ? [] : [fenced(body)]),
    [...rows, ...own].join("\n"),
  ];
}
