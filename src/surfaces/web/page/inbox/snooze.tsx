import { useEffect, useRef } from "preact/hooks";
import { isSnoozed } from "../../../../core/ask/ask-state.ts";
import type { AskView } from "../../../../protocol/view.ts";

type Props = { ask: AskView; close: () => void; snooze: (minutes: number) => void };
const MORNING = 9;

/** Puts a question aside. It stays open at the end of every list and can be answered all the while. */
export function Snooze({ ask, close, snooze }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <div
      class="refuse"
      role="group"
      aria-label="Snooze"
      onKeyDown={(event) => event.key === "Escape" && (event.preventDefault(), close())}
    >
      <strong>Snooze</strong>
      <div class="actions">
        <button ref={first} class="button" type="button" onClick={() => snooze(30)}>
          30 minutes
        </button>
        <button class="button" type="button" onClick={() => snooze(120)}>
          2 hours
        </button>
        <button class="button" type="button" onClick={() => snooze(untilMorning(new Date()))}>
          Tomorrow, {MORNING}:00
        </button>
        {isSnoozed(ask, Date.now()) && (
          <button class="button" type="button" onClick={() => snooze(0)}>
            Bring it back
          </button>
        )}
        <span class="gap" />
        <button class="button quiet" type="button" onClick={close}>
          Not now
        </button>
      </div>
    </div>
  );
}

function untilMorning(now: Date): number {
  const morning = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING);
  return Math.ceil((morning.getTime() - now.getTime()) / 60_000);
}
