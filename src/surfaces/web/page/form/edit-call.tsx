import { useEffect, useRef, useState } from "preact/hooks";
import type { AskView } from "../../../../protocol/view.ts";
import type { Settlement } from "../model.ts";

type Props = {
  ask: AskView;
  busy: boolean;
  problem: string | undefined;
  close: () => void;
  send: (settlement: Settlement) => void;
};

/** A person changes the command or the content, and allows what they made of it. Never one key alone. */
export function EditCall({ ask: { editable, questions }, busy, problem, close, send }: Props) {
  const [text, setText] = useState(editable?.text ?? "");
  const [sure, setSure] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  if (!editable) return null;
  const once = questions[0]?.options.findIndex(({ effect }) => effect === "allow") ?? 0;
  const answer = { action: "answer" as const, answers: [{ picks: [once] }], changed: text };
  return (
    <div class="refuse edit-call">
      <label>
        Change the {editable.what}; what you allow is what runs
        <textarea
          ref={box}
          name="changed"
          spellcheck={false}
          rows={Math.min(20, Math.max(3, text.split("\n").length + 1))}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === "Escape") close();
          }}
        />
      </label>
      {problem !== undefined && (
        <label>
          <input type="checkbox" checked={sure} onChange={(event) => setSure(event.currentTarget.checked)} /> Allow it
          all the same
        </label>
      )}
      <div class="actions">
        <button
          class="button primary"
          type="button"
          disabled={busy || text === editable.text}
          onClick={() => send(sure ? { ...answer, sure } : answer)}
        >
          Approve as changed
        </button>
        <button class="button" type="button" onClick={close}>
          Keep it open
        </button>
      </div>
    </div>
  );
}
