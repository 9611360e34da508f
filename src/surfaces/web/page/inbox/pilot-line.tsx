import { useState } from "preact/hooks";
import { pilotLine, proposalFor } from "../../../../core/words/pilot-line.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { call, randomKey } from "../api.ts";
import { useNow } from "../settings/subscribe.ts";

/** What the autopilot proposes or is about to answer. */
export function PilotLine({ ask }: { ask: AskView }) {
  const now = useNow(1000);
  const [problem, setProblem] = useState("");
  const line = pilotLine(ask, now);
  if (line === undefined) return null;
  const act = (name: "acceptProposal" | "undoAutopilot") => () =>
    void call(name, { id: ask.id, body: { surface: "web" }, once: randomKey() }).then(
      () => setProblem(""),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  return (
    <div class="pilot" role="status">
      <p>{line}</p>
      {proposalFor(ask) && (
        <button class="button primary" type="button" onClick={act("acceptProposal")}>
          Accept
        </button>
      )}
      <button class="button" type="button" onClick={act("undoAutopilot")}>
        Take it back
      </button>
      {problem !== "" && <p class="error">✗ {problem}</p>}
    </div>
  );
}
