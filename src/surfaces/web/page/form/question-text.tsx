import { NO_DETAILS } from "../../../../core/words/ask-words.ts";
import type { Kind } from "../../../../core/ask/ask.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import type { Question } from "../../../../core/ask/question.ts";
import { aboutOption } from "../../../../core/words/option-about.ts";
import { diffLineKind, isDiff } from "../../../../core/text/diff-lines.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import { Markdown } from "../text/markdown-view.tsx";

/** Header chip, the whole question, and what it is about. */
export function QuestionText({ question, kind }: { question: Question; kind: Kind }) {
  return (
    <>
      <span class="chip" data-kind={kind}>
        {safeLine(headerOf(question), { max: 60 })}
      </span>
      <div class="question">
        <Markdown text={question.text.trim() === "" ? NO_DETAILS : question.text} />
      </div>
      {question.body !== undefined && question.body.trim() !== "" && <Body text={question.body} kind={kind} />}
    </>
  );
}

/** What there is to choose from, for who does not choose here; `picks`: what was. */
export function OptionList({ question, picks = [] }: { question: Question; picks?: readonly number[] | undefined }) {
  return (
    <ul class="picked">
      {question.options.map((option, n) => (
        <li data-picked={picks.includes(n)}>
          <strong>{safeLine(option.label, { max: 200 })}</strong> {safeLine(aboutOption(option), { max: 500 })}
        </li>
      ))}
    </ul>
  );
}

/** A plan is prose; anything else is a command, a change or data, shown to the letter. */
function Body({ text, kind }: { text: string; kind: Kind }) {
  if (kind === "plan")
    return (
      <div class="body">
        <Markdown text={text} />
      </div>
    );
  return <Verbatim text={text} wraps isCall />;
}

type VerbatimProps = { text: string; wraps?: boolean; isCall?: boolean };

/** Lines as they are; those of a change in its colours. `wraps`: nothing of it may be out of sight at the side. */
export function Verbatim({ text, wraps = false, isCall = false }: VerbatimProps) {
  const isChange = isDiff(text, isCall);
  return (
    <pre class="verbatim" data-wraps={wraps} tabIndex={0}>
      {safeText(text)
        .split("\n")
        .map((line) => (
          <span data-line={isChange ? diffLineKind(line) : undefined}>{line === "" ? <br /> : line}</span>
        ))}
    </pre>
  );
}
