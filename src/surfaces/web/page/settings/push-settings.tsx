import { useEffect, useState } from "preact/hooks";
import { pushState, type PushState, startPush, stopPush } from "./push.ts";

/** Questions on this device while the page is closed. */
export function PushSettings({ words = wordsOf }: { words?: (push: PushState) => string }) {
  const [push, setPush] = useState<PushState>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const look = () => pushState().then(setPush, (error: unknown) => setProblem(String(error)));
  useEffect(() => void look(), []);

  async function change(step: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    await step().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    await look();
    setBusy(false);
  }

  const isOn = push?.state === "on";
  return (
    <section aria-labelledby="push">
      <h2 id="push">Push</h2>
      <p>
        Questions on this device while the page is closed, over the push service of this browser, which cannot read
        them.
      </p>
      {push?.state === "cannot" && <p role="status">{push.why}</p>}
      {(push?.state === "on" || push?.state === "off") && (
        <>
          <button
            class="button primary"
            type="button"
            disabled={isBusy}
            onClick={() => void change(isOn ? stopPush : startPush)}
          >
            {isOn ? "Stop pushes to this device" : "Push questions to this device"}
          </button>
          <p role="status">{isOn ? words(push) : ""}</p>
        </>
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function wordsOf({ name, text }: PushState): string {
  const what = text ? "the question and its buttons" : "only that a question waits; notify.push.text shows it";
  return `On for ${name ?? "this browser"}. A push says ${what}. Try it: parley notify test push`;
}
