import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { stopWords } from "../../../../core/words/outcome/refusal-words.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { isPlainKey } from "../keys.ts";

type Props = { ask: AskView; busy: boolean; close: () => void; send: () => void };

/** What has just appeared may lie under a finger that meant what was there before. */
const CALM_MS = 300;

/** The second step before everything ends. Enter and Esc, which people press twice, do not take it. */
export function Cancel({ ask, busy, close, send }: Props) {
  const keep = useRef<HTMLButtonElement>(null);
  const [isReady, setReady] = useState(false);
  useLayoutEffect(() => {
    keep.current?.focus();
    const timer = setTimeout(() => setReady(true), CALM_MS);
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !isPlainKey(event)) return;
      event.preventDefault();
      close();
    };
    addEventListener("keydown", pressed);
    return () => (clearTimeout(timer), removeEventListener("keydown", pressed));
  }, []);
  const { name = "", sure = "" } = stopWords(ask) ?? {};
  return (
    <div class="refuse" role="alertdialog" aria-label={sure}>
      <p>
        <strong>{sure}</strong> Nothing you entered is sent.
      </p>
      <div class="actions">
        <button class="button danger" type="button" disabled={busy || !isReady} onClick={send}>
          {name}
        </button>
        <button class="button" type="button" ref={keep} onClick={close}>
          Keep it open
        </button>
      </div>
    </div>
  );
}
