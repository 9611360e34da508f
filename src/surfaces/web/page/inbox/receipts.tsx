import { askTitle } from "../../../../core/ask/title.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import type { Snapshot } from "../model.ts";
import { askPath } from "../route.ts";

const SHOWN = 3;

type Props = { snapshot: Snapshot; said?: ((ask: AskView) => string) | undefined };

/** What became of the answers given here; each line changes as its receipt arrives. */
export function Receipts({ snapshot: { settledHere, asks }, said = ({ sentence }) => sentence }: Props) {
  const settled = settledHere.slice(0, SHOWN).flatMap((id) => asks.get(id) ?? []);
  return (
    <ol class="receipts" aria-live="polite" aria-label="Just answered">
      {settled.map((ask) => (
        <li key={ask.id} data-mark={said(ask).slice(0, 1)}>
          <a href={askPath(ask.id)}>
            <span class="from">
              {safeLine([ask.origin.project, askTitle(ask, { max: 60 })].filter(Boolean).join(" · "))}
            </span>
            <span class="said">{safeLine(said(ask), { max: 300 })}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}
