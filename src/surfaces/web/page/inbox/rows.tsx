import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AskView } from "../../../../protocol/view.ts";
import { Row } from "./row.tsx";

/** What a hub's inbox has more: choices by machine and person, a note on each row, another pane. */
export type InboxMore = {
  choices: { name: string; every: string; of: (ask: AskView) => readonly string[] }[];
  note: (ask: AskView, now: number) => string;
  /** What became of it. */
  said: (ask: AskView, now: number) => string;
  /** Why it waits again, if somebody answered it. */
  failed: (ask: AskView, now: number) => string | undefined;
  isQuiet: (ask: AskView) => boolean;
  pane: (ask: AskView, settled: () => void) => ComponentChildren;
};
type Props = { shown: readonly AskView[]; selected: string | undefined; now: number; more: InboxMore | undefined };
const STEP = 200;

/** So many rows as somebody has scrolled to, and some more: ten thousand may be open, and nobody reads them at once. */
export function Rows({ shown, selected, now, more }: Props) {
  const [most, setMost] = useState(STEP);
  const end = useRef<HTMLLIElement>(null);
  const at = selected === undefined ? -1 : shown.findIndex(({ id }) => id === selected);
  const count = Math.max(most, at + STEP / 2);
  const rest = shown.length - count;

  useEffect(() => {
    const last = end.current;
    if (!last) return undefined;
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setMost(count + STEP),
      { root: last.parentElement, rootMargin: "1500px" },
    );
    seen.observe(last);
    return () => seen.disconnect();
  }, [count, rest > 0]);

  return (
    <ul>
      {shown.slice(0, count).map((each) => (
        <Row
          key={each.id}
          ask={each}
          isSelected={each.id === selected}
          now={now}
          note={more?.note(each, now)}
          failed={more?.failed(each, now)}
          isQuiet={more?.isQuiet(each) ?? false}
        />
      ))}
      {rest > 0 && (
        <li ref={end} class="rest">
          {rest} more
        </li>
      )}
    </ul>
  );
}
