import { useState } from "preact/hooks";
import { asksSecret } from "../../../../core/ask/answer/field.ts";
import { canTakeBack, isAnswered, isFor } from "../../../../core/hub-ask.ts";
import { mayAnswer } from "../../../../core/hub-role.ts";
import {
  askedOfWords,
  choiceWords,
  claimWords,
  halvesWords,
  intentWords,
  lookingWords,
  machineWords,
  NO_SECRET,
  onlyLookWords,
  takenBackWords,
} from "../../../../core/words/hub-words.ts";
import { describeAnswers } from "../../../../core/words/outcome/describe-answer.ts";
import { safeText } from "../../../../core/text/text.ts";
import type { HubAskView } from "../../../../protocol/hub/hub.ts";
import type { Forms } from "../form/forms.ts";
import { OptionList, QuestionText } from "../form/question-text.tsx";
import { AskPane, Context, Where } from "../inbox/ask-pane.tsx";
import { useChanging, useNow } from "../settings/subscribe.ts";
import type { HubModel } from "./hub-model.ts";

type Props = { ask: HubAskView; model: HubModel; forms: Forms; settled: () => void };

/** The same form as on the machine itself; above it where it is, who is on it, and what became of an answer. */
export function HubAskPane({ ask, model, forms, settled }: Props) {
  const { here } = useChanging(model.get, model.subscribe);
  const isMine = mayAnswer(here?.member.grants ?? [], ask);
  const answered = isAnswered(ask);
  const state = <State ask={ask} model={model} mayClaim={isMine && !answered && !ask.outcome} />;
  if (ask.outcome) return <AskPane ask={ask} model={model} forms={forms} settled={settled} before={state} />;
  const mine = ask.halves?.find(({ id }) => id === here?.member.id);
  if (!answered && isMine && !mine && !asksSecret(ask))
    return <AskPane ask={ask} model={model} forms={forms} settled={settled} before={state} />;
  const why = answered
    ? undefined
    : mine
      ? undefined
      : isMine
        ? `${NO_SECRET}.`
        : `${onlyLookWords(here?.member.grants ?? [])}.`;
  const { answers, action } = ask.intent?.settlement ?? {};
  const chosen = answered ? ask.intent?.settlement : mine?.settlement;
  return (
    <article class="ask">
      <Where ask={ask} isHub />
      {state}
      <Context ask={ask} />
      {answered && (
        <div class="outcome">
          <p class="ended">{answers ? safeText(describeAnswers(ask.questions, answers)) : action}</p>
          {canTakeBack(ask, here?.member) && <TakeBack ask={ask} model={model} name="Take back" />}
        </div>
      )}
      {mine && !answered && (
        <div class="outcome">
          <p class="ended">You chose {choiceWords(mine.settlement, ask.questions)}</p>
          <TakeBack ask={ask} model={model} name="Choose again" />
        </div>
      )}
      {ask.questions.map((question, i) => (
        <section class="asked">
          <QuestionText question={question} kind={ask.kind} />
          <OptionList question={question} picks={chosen?.answers?.[i]?.picks} />
        </section>
      ))}
      {why !== undefined && <p class="hint">{why}</p>}
    </article>
  );
}

function State({ ask, model, mayClaim }: { ask: HubAskView; model: HubModel; mayClaim: boolean }) {
  const now = useNow(1000);
  const { here } = useChanging(model.get, model.subscribe);
  const { machine, intent, claim: found, needs, halves = [], looking = [] } = ask;
  const others = lookingWords(looking, here?.member.id);
  const claim = found && found.until > now ? found : undefined;
  return (
    <section class="hub-state" aria-label="Where it is, and who is on it">
      <p>
        <span class="dot" data-online={machine.online} /> {machineWords(machine, now)}
      </p>
      {intent && <p data-mark={intentWords(intent, machine, now).slice(0, 1)}>{intentWords(intent, machine, now)}</p>}
      {needs?.signed && mayClaim && !halves.some(({ id }) => id === here?.member.id) && (
        <p class="signs">Your passkey signs this question and your answer; {machine.name} checks it.</p>
      )}
      {needs?.two && !isAnswered(ask) && <p class="halves">{halvesWords(halves, ask.questions)}</p>}
      {ask.route && ask.state === "open" && !isAnswered(ask) && (
        <p class="routed">
          {isFor(ask, here?.member.id, now) && <b class="for-you">For you</b>} {askedOfWords(ask, now)}
        </p>
      )}
      {claim && <p class="claimed">{claimWords(claim, now)}</p>}
      {others !== "" && <p class="looking">{others}</p>}
      {mayClaim && <Claim ask={ask} model={model} isOn={claim?.id} />}
    </section>
  );
}

/** For who gave it: an answer on its way, or what they have chosen where another one has to choose it too. */
function TakeBack({ ask, model, name }: { ask: HubAskView; model: HubModel; name: string }) {
  const [said, setSaid] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const back = () =>
    void model.takeBack(ask.id).then(
      // A machine that may have it is asked for it.
      (now) => (setProblem(undefined), setSaid(now.intent?.state === "sent" ? takenBackWords(now) : undefined)),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  return (
    <>
      {said === undefined ? (
        <button class="button" type="button" onClick={back}>
          {name}
        </button>
      ) : (
        <p role="status">{said}</p>
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** "I am on it", let go, hand over. */
function Claim({ ask, model, isOn }: { ask: HubAskView; model: HubModel; isOn: string | undefined }) {
  const { here } = useChanging(model.get, model.subscribe);
  const [problem, setProblem] = useState<string>();
  const others = (here?.people ?? []).filter(({ id, grants }) => id !== here?.member.id && mayAnswer(grants, ask));
  const isMine = isOn !== undefined && isOn === here?.member.id;
  const act = (work: Promise<void>) =>
    void work.then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  return (
    <div class="claim">
      {isOn === undefined && (
        <button class="button" type="button" onClick={() => act(model.claim(ask.id))}>
          I am on it
        </button>
      )}
      {isMine && (
        <button class="button" type="button" onClick={() => act(model.release(ask.id))}>
          Let go
        </button>
      )}
      {(isMine || isOn === undefined) && others.length > 0 && (
        <select
          aria-label="Hand over to"
          value=""
          onChange={(event) => event.currentTarget.value !== "" && act(model.claim(ask.id, event.currentTarget.value))}
        >
          <option value="">Hand over …</option>
          {others.map(({ id, name }) => (
            <option value={id}>{name}</option>
          ))}
        </select>
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
