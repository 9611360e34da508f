import { safeText } from "../../../../core/text/text.ts";
import type { Model, Snapshot } from "../model.ts";
import { askPath } from "../route.ts";

/** Answers given in a page that the agent received otherwise: they stay until they were read. */
export function Mismatches({ model, snapshot: { mismatches } }: { model: Model; snapshot: Snapshot }) {
  if (mismatches.length === 0) return null;
  return (
    <section class="mismatches" role="alert" aria-label="Answers that did not arrive as intended">
      {mismatches.map(({ ask, text }) => (
        <div key={ask}>
          <p>{safeText(text, { max: 3000 })}</p>
          <a href={askPath(ask)}>Show the question</a>
        </div>
      ))}
      <button type="button" onClick={() => model.forgetMismatches()}>
        Got it
      </button>
    </section>
  );
}
