import { isForTerminal } from "../../../../core/ask/channel.ts";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { isSnoozed } from "../../../../core/ask/ask-state.ts";
import { shortId } from "../../../../core/id.ts";
import { TERMINAL_ONLY } from "../../../../core/words/ask-words.ts";
import { wayBackWords } from "../../../../core/words/outcome/way-back.ts";
import { ageOf, duration, snoozedWords } from "../../../../core/words/time.ts";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { AskForm } from "../form/ask-form.tsx";
import { PilotLine } from "./pilot-line.tsx";
import type { Forms } from "../form/forms.ts";
import { later } from "../later.tsx";
import type { Model } from "../model.ts";
import { OutcomePane } from "./outcome-pane.tsx";
import { QuestionText } from "../form/question-text.tsx";
import { taskPath } from "../route.ts";
import { useChanging, useNow } from "../settings/subscribe.ts";

const FoundFacts = later(async () => (await import("./facts.tsx")).FoundFacts, "");
const Proposal = later(async () => (await import("../grants/proposal.tsx")).Proposal, "");

/** `isInTask`: what can be done with the whole task stands beside it. */
/** `before`: what stands above it, and is nothing of the question itself. */
type Props = {
  ask: AskView;
  model: Model;
  forms: Forms;
  settled: () => void;
  isInTask?: boolean;
  before?: ComponentChildren;
};

export function AskPane(props: Props) {
  return (
    <article class="ask">
      <Where ask={props.ask} isHub={props.model.place === "hub"} />
      {props.before}
      <AskBody {...props} />
    </article>
  );
}

/** The question itself, to be answered here, or how it ended; the inbox and a task's dialog show the same. */
export function AskBody({ ask, model, forms, settled, isInTask = false }: Props) {
  const isElsewhere = isForTerminal(ask);
  const form = useChanging(() => (ask.outcome ? undefined : forms.open(ask)), forms.subscribe);
  const proposed = ask.autopilot?.proposal;
  useEffect(() => forms.propose(ask), [JSON.stringify(proposed)]);
  useEffect(() => {
    // Somebody comes back to this tab: they may have gone on with the draft elsewhere.
    const back = () => void forms.load(ask);
    addEventListener("focus", back);
    return () => removeEventListener("focus", back);
  }, [ask]);
  return (
    <>
      <Context ask={ask} />
      {ask.kind === "approval" && <FoundFacts ask={ask} />}
      <PilotLine ask={ask} />
      {ask.kind === "approval" && ask.call && model.place !== "hub" && (
        <Proposal ask={ask} model={model} snapshot={model.get()} settled={settled} />
      )}
      {ask.outcome !== undefined && <OutcomePane ask={ask} form={forms.peek(ask.id)} />}
      {form && isElsewhere && <ForTerminal ask={ask} model={model} />}
      {form && !isElsewhere && (
        <AskForm ask={ask} form={form} model={model} forms={forms} settled={settled} isInTask={isInTask} />
      )}
    </>
  );
}

export function Where({ ask, isHub }: { ask: AskView; isHub: boolean }) {
  const now = useNow(1000);
  const { project, sessionTitle, branch, cwd, subagentType, task } = ask.origin;
  const parts = [project, sessionTitle, ask.agentTitle, subagentType, branch, wayBackWords(ask)].filter(
    (part) => part !== undefined,
  );
  return (
    <header class="meta">
      <a class="back" href="#/" aria-label="Back to the list">
        ‹ <span>Inbox</span>
      </a>
      {ask.kind !== "question" && <span class="kind">{ask.kind}</span>}
      <span class="parts" title={cwd}>
        {parts.map((part) => (
          <span>{safeLine(part, { max: 60 })}</span>
        ))}
      </span>
      {task !== undefined && !isHub && (
        <a class="link" href={taskPath(task)}>
          Show the task
        </a>
      )}
      {!ask.outcome && <time>{waitWords(ask, now)}</time>}
      <code title={ask.id}>{shortId(ask.id)}</code>
    </header>
  );
}

function waitWords(ask: AskView, now: number): string {
  const { snoozedUntil = 0 } = ask;
  return isSnoozed(ask, now)
    ? snoozedWords(snoozedUntil, now)
    : `waiting ${ageOf(Math.min(ask.createdAt, now - 1000), now)}`;
}

/** What a person should know before they answer. */
export function Context({ ask }: { ask: AskView }) {
  const now = useNow(1000);
  const { lastText } = ask.origin;
  const options = ask.questions[0]?.options ?? [];
  const label = (pick: number | undefined) => safeLine(options[pick ?? -1]?.label ?? "", { max: 80 });
  const { deadline, assumption } = ask;
  return (
    <>
      {lastText !== undefined && lastText.trim() !== "" && (
        <details class="before">
          <summary>What {ask.agentTitle} said before</summary>
          <pre>{safeText(lastText, { max: 8000 })}</pre>
        </details>
      )}
      {!ask.outcome && deadline && (
        <p class="hint">
          {deadline.at > now ? `Ends in ${duration(deadline.at - now)}` : "Ends now"}
          {deadline.choose === undefined ? "" : `; then “${label(deadline.choose)}” is taken`}
        </p>
      )}
      {!ask.outcome && assumption !== undefined && (
        <p class="hint">
          {ask.agentTitle} continues with “{label(assumption)}” meanwhile
        </p>
      )}
    </>
  );
}

function ForTerminal({ ask, model }: { ask: AskView; model: Model }) {
  return (
    <>
      {ask.questions.map((question) => (
        <QuestionText question={question} kind={ask.kind} />
      ))}
      <p class="hint">
        {TERMINAL_ONLY}
        {ask.origin.pane && ` Go there: parley jump ${shortId(ask.id)}`}
      </p>
      <button class="button" type="button" onClick={() => void model.settle(ask, { action: "decline" })}>
        Dismiss
      </button>
    </>
  );
}
