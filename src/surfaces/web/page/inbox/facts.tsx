import { editRefusal } from "../../../../core/words/edit-words.ts";
import { factLine, FACTS_HEADING } from "../../../../core/words/fact-words.ts";
import type { AskView } from "../../../../protocol/view.ts";

/** What Parley found out itself, apart from what the agent says; and that it cannot be changed, where it cannot. */
export function FoundFacts({ ask }: { ask: AskView }) {
  const { facts = [] } = ask;
  const refusal = ask.outcome ? undefined : editRefusal(ask, ask.agentTitle);
  return (
    <>
      {facts.length > 0 && (
        <section class="facts" aria-label={FACTS_HEADING}>
          <h3>{FACTS_HEADING}</h3>
          <ul>
            {facts.map(factLine).map(({ text, how }) => (
              <li>
                {text} <small>{how}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {refusal !== undefined && <p class="unchanging">{refusal}</p>}
    </>
  );
}
