import { inOrder, needsPrompt } from "../../../../core/ask/session-state.ts";
import { safeText } from "../../../../core/text/text.ts";
import { idleWords, sessionName, sessionSince, sessionWords } from "../../../../core/words/session-words.ts";
import { ageOf } from "../../../../core/words/time.ts";
import type { SessionView } from "../../../../protocol/view.ts";
import type { Model } from "../model.ts";

type Props = { model: Model; sessions: readonly SessionView[]; now: number };

/** Agents that have finished: they wait for a prompt in their own terminal, with nothing to answer here. */
export function Sessions({ model, sessions, now }: Props) {
  const idle = inOrder(sessions).filter(needsPrompt);
  if (idle.length === 0) return null;
  return (
    <details class="sessions">
      <summary>{idleWords(idle.length)}</summary>
      <ul>
        {idle.map((session) => (
          <li key={session.id}>
            <b>{sessionName(session)}</b>
            <small>
              {[session.project, sessionWords(session), ageOf(sessionSince(session), now)].filter(Boolean).join(" · ")}
            </small>
            <p>{safeText(session.idle?.said ?? "", { max: 300 })}</p>
            <button class="button" type="button" onClick={() => void model.dismiss(session.id)}>
              Dismiss
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
