import { NOTHING_WAITS } from "../../../../core/words/ask-words.ts";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Kind } from "../../../../core/ask/ask.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { AskPane } from "./ask-pane.tsx";
import type { Forms } from "../form/forms.ts";
import { isPlainKey, isTyping } from "../keys.ts";
import type { Model, Snapshot } from "../model.ts";
import { Receipts } from "./receipts.tsx";
import { askPath, goTo } from "../route.ts";
import { type InboxMore, Rows } from "./rows.tsx";
import { Sessions } from "./sessions.tsx";
import { searchable } from "../history/search.ts";
import { safeLine } from "../../../../core/text/text.ts";
import { useNow } from "../settings/subscribe.ts";

type Props = { model: Model; forms: Forms; snapshot: Snapshot; selected: string | undefined; more?: InboxMore };
const KIND_NAMES: Partial<Record<Kind, string>> = { question: "Questions", approval: "Approvals", plan: "Plans" };
const isWide = () => matchMedia("(min-width: 860px)").matches;

export function Inbox({ model, forms, snapshot, selected, more }: Props) {
  const now = useNow(1000);
  const [words, setWords] = useState("");
  const [kind, setKind] = useState("all");
  const [agent, setAgent] = useState("all");
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const search = useRef<HTMLInputElement>(null);
  const { open, asks } = snapshot;
  const shown = useMemo(() => {
    const found = filtered(open, { words, kind, agent });
    const wanted = (more?.choices ?? []).filter(({ name }) => (chosen[name] ?? "all") !== "all");
    return wanted.length === 0
      ? found
      : found.filter((ask) => wanted.every(({ name, of }) => of(ask).includes(chosen[name] ?? "")));
  }, [open, words, kind, agent, chosen]);
  const kinds = useMemo(() => counted(open, kind, (ask) => ask.kind), [open, kind]);
  const agents = useMemo(() => counted(open, agent, (ask) => ask.agentTitle), [open, agent]);
  const ask = selected === undefined ? undefined : asks.get(selected);

  // Pinned once shown: what is answered elsewhere must not turn into another question under somebody's hands. Before the list
  // is painted: its form is what somebody waits for.
  useLayoutEffect(() => {
    const [first] = shown;
    if (selected === undefined && first && isWide()) goTo(askPath(first.id), { quietly: true });
  }, [selected, shown]);
  useEffect(() => {
    if (selected !== undefined && !ask) void model.look(selected).catch(() => goTo("#/", { quietly: true }));
  }, [selected, ask, shown]);

  const nextTo = (id: string | undefined, by: number): AskView | undefined => {
    const at = shown.findIndex((each) => each.id === id);
    if (at !== -1) return shown[at + by];
    // It is gone from the list: the next one is the first that waits less long.
    const left = (id === undefined ? undefined : asks.get(id))?.createdAt ?? 0;
    const after = shown.findIndex((each) => each.createdAt >= left);
    return by > 0 ? shown[after === -1 ? shown.length - 1 : after] : shown[after === -1 ? shown.length - 1 : after - 1];
  };

  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && event.target === search.current) return search.current?.blur();
      if (!isPlainKey(event)) return;
      if (event.key === "/") return (event.preventDefault(), search.current?.focus());
      const by = { j: 1, k: -1 }[event.key];
      const next = by === undefined ? undefined : nextTo(selected, by);
      if (next) goTo(askPath(next.id), { quietly: selected !== undefined });
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [selected, shown]);

  /** After one is settled: the next that waits, or the list. */
  function settled(id: string): void {
    if (location.hash !== askPath(id)) return;
    const next = nextTo(id, 1) ?? nextTo(id, -1);
    goTo(next && next.id !== id ? askPath(next.id) : "#/", { quietly: true });
    if (isTyping(document.activeElement)) (document.activeElement as HTMLElement).blur();
  }

  return (
    <div class="inbox">
      <section class="list" aria-label="Open questions">
        <div class="filter">
          <input
            ref={search}
            type="search"
            placeholder="Search"
            aria-label="Search open questions"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <select aria-label="Kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="all">All ({open.length})</option>
            {kinds.map(([each, count]) => (
              <option value={each}>
                {KIND_NAMES[each] ?? each} ({count})
              </option>
            ))}
          </select>
          {agents.length > 1 && (
            <select aria-label="Agent" value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
              <option value="all">Every agent</option>
              {agents.map(([each, count]) => (
                <option value={each}>
                  {safeLine(each, { max: 40 })} ({count})
                </option>
              ))}
            </select>
          )}
          {more?.choices.map(({ name, every, of }) => (
            <Choice
              key={name}
              name={name}
              every={every}
              value={chosen[name] ?? "all"}
              found={countedAll(open, chosen[name] ?? "all", of)}
              choose={(value) => setChosen({ ...chosen, [name]: value })}
            />
          ))}
        </div>
        {!more && open.filter((each) => each.kind === "approval").length > 1 && (
          <a class="button several" href="#/approvals">
            Decide several approvals
          </a>
        )}
        <Rows shown={shown} selected={selected} now={now} more={more} />
        <Sessions model={model} sessions={snapshot.sessions} now={now} />
        {shown.length === 0 && <p class="none">{emptyWords(snapshot, shown.length < open.length)}</p>}
      </section>
      <Receipts snapshot={snapshot} said={more && ((each) => more.said(each, now))} />
      <section class="pane" aria-label="Question">
        {ask && more ? (
          more.pane(ask, () => settled(ask.id))
        ) : ask ? (
          <AskPane key={ask.id} ask={ask} model={model} forms={forms} settled={() => settled(ask.id)} />
        ) : (
          <div class="blank">
            {open.length === 0 ? <AllClear isLoading={snapshot.phase === "loading"} /> : "Choose a question"}
          </div>
        )}
      </section>
    </div>
  );
}

type ChoiceProps = {
  name: string;
  every: string;
  value: string;
  found: [string, number][];
  choose: (value: string) => void;
};

function Choice({ name, every, value, found, choose }: ChoiceProps) {
  if (found.length === 0) return null;
  return (
    <select aria-label={name} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="all">{every}</option>
      {found.map(([each, count]) => (
        <option value={each}>
          {safeLine(each, { max: 40 })} ({count})
        </option>
      ))}
    </select>
  );
}

function AllClear({ isLoading }: { isLoading: boolean }) {
  if (isLoading) return <p>Loading …</p>;
  return (
    <>
      <p class="clear">{NOTHING_WAITS}</p>
      <p>New questions appear here on their own.</p>
    </>
  );
}

function emptyWords({ phase, open }: Snapshot, isFiltered: boolean): string {
  if (phase === "loading") return "Loading …";
  return isFiltered && open.length > 0 ? "Nothing matches this search." : `${NOTHING_WAITS}.`;
}

type Filter = { words: string; kind: string; agent: string };

function filtered(open: readonly AskView[], { words, kind, agent }: Filter): readonly AskView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && kind === "all" && agent === "all") return open;
  return open.filter((ask) => {
    if (kind !== "all" && ask.kind !== kind) return false;
    if (agent !== "all" && ask.agentTitle !== agent) return false;
    const text = searchable(ask);
    return wanted.every((word) => text.includes(word));
  });
}

/** The chosen one stays a choice when nothing of it is open any more. */
function counted<T extends string>(
  open: readonly AskView[],
  chosen: string,
  nameOf: (ask: AskView) => T,
): [T, number][] {
  const counts = new Map<T, number>(chosen === "all" ? [] : [[chosen as T, 0]]);
  for (const ask of open) counts.set(nameOf(ask), (counts.get(nameOf(ask)) ?? 0) + 1);
  return [...counts];
}

function countedAll(
  open: readonly AskView[],
  chosen: string,
  of: (ask: AskView) => readonly string[],
): [string, number][] {
  const counts = new Map<string, number>(chosen === "all" ? [] : [[chosen, 0]]);
  for (const ask of open) for (const name of of(ask)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
