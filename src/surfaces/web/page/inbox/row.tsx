import { Component } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { isSnoozed } from "../../../../core/ask/ask-state.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import { askTitle } from "../../../../core/ask/title.ts";
import { ageOf, snoozedWords } from "../../../../core/words/time.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { askPath } from "../route.ts";

/** `note`: where it is and who is on it, in a hub; `failed`: what came to nothing there. */
type Props = {
  ask: AskView;
  isSelected: boolean;
  now: number;
  note?: string | undefined;
  failed?: string | undefined;
  isQuiet?: boolean;
};

/** Drawn again only when it looks different: a thousand of them may be open. */
export class Row extends Component<Props> {
  override shouldComponentUpdate(after: Props): boolean {
    const before = this.props;
    const age = ({ ask, now }: Props) => ageWords(ask, now);
    if (before.note !== after.note || before.failed !== after.failed) return true;
    return before.ask !== after.ask || before.isSelected !== after.isSelected || age(before) !== age(after);
  }
  override render() {
    return <DrawnRow {...this.props} />;
  }
}

function DrawnRow({ ask, isSelected, now, note, failed, isQuiet = false }: Props) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const [question] = ask.questions;
  const { project, branch, sessionTitle } = ask.origin;
  const header = safeLine(question ? headerOf(question) : ask.kind, { max: 24 });
  const more = ask.questions.length - 1;
  const text = useMemo(() => askTitle(ask), [question]);
  return (
    <li ref={row} class="row" data-snoozed={isQuiet || isSnoozed(ask, now)}>
      <a href={askPath(ask.id)} aria-current={isSelected ? "true" : undefined}>
        <span class="top">
          <span class="chip" data-kind={ask.kind}>
            {header}
          </span>
          {ask.kind !== "question" && ask.kind !== header.toLowerCase() && <span class="kind">{ask.kind}</span>}
          <span class="where">
            <span class="project">{safeLine(project ?? ask.agentTitle, { max: 40 })}</span>
            {branch !== undefined && <span class="branch">{safeLine(branch, { max: 60 })}</span>}
          </span>
          <time>{ageWords(ask, now)}</time>
        </span>
        <span class="session">{safeLine([ask.agentTitle, sessionTitle].filter(Boolean).join(" · "), { max: 80 })}</span>
        <span class="text">
          {text}
          {more > 0 && <span class="more"> +{more} more</span>}
        </span>
        {note !== undefined && <span class="note-of-hub">{note}</span>}
        {failed !== undefined && <span class="note-of-hub failed">{failed}</span>}
      </a>
    </li>
  );
}

function ageWords(ask: AskView, now: number): string {
  return isSnoozed(ask, now) ? snoozedWords(ask.snoozedUntil ?? 0, now) : ageOf(ask.createdAt, now);
}
