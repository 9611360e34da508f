import { answers, type FormState, isDirty } from "../../../../core/form/form.ts";
import { describeAnswer, describeUnread } from "../../../../core/words/outcome/describe-answer.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import { describeOutcome } from "../../../../core/words/outcome/sentence.ts";
import { capitalised, safeLine, safeText } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { leaveField } from "../../../../core/form/point.ts";
import { OptionList, QuestionText, Verbatim } from "../form/question-text.tsx";
import { useNow } from "../settings/subscribe.ts";

/** How it ended, with the receipt, and what this person had filled in when somebody else was first. */
export function OutcomePane({ ask, form }: { ask: AskView; form: FormState | undefined }) {
  const now = useNow(1000);
  const said = describeOutcome(ask, now);
  const mine = form && leaveField(form);
  return (
    <>
      <div class="outcome" role="status">
        <p class="ended">{capitalised(said)}</p>
        <p class="receipt" data-mark={ask.sentence.slice(0, 1)}>
          {safeLine(ask.sentence, { max: 600 })}
        </p>
        {ask.outcome?.reason !== undefined && <p class="reason">{safeLine(ask.outcome.reason, { max: 600 })}</p>}
      </div>
      {ask.outcome?.changed && (
        <section class="changed-call" aria-label="What was changed">
          <h2>The {ask.outcome.changed.what} was changed before it was allowed</h2>
          <Verbatim text={ask.outcome.changed.diff} wraps />
        </section>
      )}
      {mine && isDirty(mine) && (
        <section class="kept" aria-label="What you had filled in">
          <h2>What you had filled in</h2>
          {mine.questions.map((question, i) => (
            <p>
              <span class="chip">{safeLine(headerOf(question), { max: 60 })}</span>{" "}
              {safeText(describeAnswer(question, answers(mine)[i] ?? { picks: [] })) || "nothing"}
            </p>
          ))}
        </section>
      )}
      {ask.questions.map((question, i) => (
        <section class="asked">
          <QuestionText question={question} kind={ask.kind} />
          <OptionList question={question} picks={ask.outcome?.answers?.[i]?.picks} />
          {ask.outcome?.answers?.[i]?.unread !== undefined && (
            <p class="error">{safeLine(describeUnread(ask.outcome.answers[i].unread), { max: 2000 })}</p>
          )}
        </section>
      ))}
    </>
  );
}
