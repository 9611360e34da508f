import { useEffect, useMemo, useState } from "preact/hooks";
import { askTitles } from "../../../../core/ask/title.ts";
import { headerOf } from "../../../../core/ask/header.ts";
import { duration } from "../../../../core/words/time.ts";
import { byActorInFull } from "../../../../core/words/outcome/actor-words.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { ResultOf } from "../../../../protocol/contract.ts";
import type { AskView } from "../../../../protocol/view.ts";
import { call } from "../api.ts";
import { Chart } from "./chart.tsx";
import { download } from "./download.ts";
import { asCsv, asJson } from "./history-export.ts";
import { inOrder } from "./in-order.ts";
import type { Model } from "../model.ts";
import { askPath } from "../route.ts";
import { searchable } from "./search.ts";

const PAGE = 200;
const SHOWN = 100;

export function History({ model }: { model: Model }) {
  const [asks, setAsks] = useState<readonly AskView[]>([]);
  const [isWhole, setWhole] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [words, setWords] = useState("");
  const [shown, setShown] = useState(SHOWN);

  useEffect(() => {
    const left = new AbortController();
    readAll((more) => setAsks((before) => [...before, ...more]), left.signal).then(
      () => setWhole(true),
      (error: unknown) => setProblem(String(error)),
    );
    return () => left.abort();
  }, [model]);

  const fitting = useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    return wanted.length === 0 ? asks : asks.filter((ask) => wanted.every((word) => searchable(ask).includes(word)));
  }, [asks, words]);
  const found = useMemo(() => inOrder(fitting), [fitting]);
  const save = (kind: "csv" | "json") =>
    download(
      `parley-history.${kind}`,
      kind === "csv" ? "text/csv" : "application/json",
      kind === "csv" ? asCsv(found) : asJson(found),
    );

  return (
    <div class="page history">
      <h1>History</h1>
      <Chart asks={fitting} />
      <div class="filter">
        <input
          type="search"
          placeholder="Search the history"
          aria-label="Search history"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button class="button" type="button" onClick={() => save("csv")}>
          Export CSV
        </button>
        <button class="button" type="button" onClick={() => save("json")}>
          Export JSON
        </button>
      </div>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <ol class="entries">
        {found.slice(0, shown).map((ask) => (
          <Entry key={ask.id} ask={ask} />
        ))}
      </ol>
      {found.length === 0 && <p class="none">{isWhole ? "Nothing settled matches." : "Loading …"}</p>}
      {found.length > shown && (
        <button class="button" type="button" onClick={() => setShown(shown + SHOWN)}>
          Show {Math.min(SHOWN, found.length - shown)} more of {found.length - shown}
        </button>
      )}
    </div>
  );
}

function Entry({ ask }: { ask: AskView }) {
  const { outcome, origin } = ask;
  const [question] = ask.questions;
  if (!outcome) return null;
  const { actor, reason, at } = outcome;
  const facts = [
    origin.project,
    origin.sessionTitle,
    origin.branch,
    byActorInFull(actor),
    `after ${duration(at - ask.createdAt)}`,
  ];
  return (
    <li>
      <a href={askPath(ask.id)}>
        <span class="top">
          <span class="chip" data-kind={ask.kind}>
            {safeLine(question ? headerOf(question) : ask.kind, { max: 24 })}
          </span>
          <span class="text">{askTitles(ask)}</span>
          <time dateTime={new Date(at).toISOString()}>{when(at)}</time>
        </span>
        <span class="said" data-mark={ask.sentence.slice(0, 1)}>
          {safeLine(ask.sentence, { max: 300 })}
        </span>
        <span class="facts">
          {facts.map((fact) => fact !== undefined && fact !== "" && <span>{safeLine(fact, { max: 80 })}</span>)}
          {reason !== undefined && <span>{safeLine(reason, { max: 200 })}</span>}
        </span>
      </a>
    </li>
  );
}

async function readAll(found: (asks: AskView[]) => void, left: AbortSignal): Promise<void> {
  for (let after: string | undefined; !left.aborted;) {
    const query = { state: "all" as const, limit: PAGE, after };
    const page: ResultOf<"listAsks"> = await call("listAsks", { query });
    if (!left.aborted) found(page.asks);
    if (page.next === undefined) return;
    after = page.next;
  }
}

function when(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : date.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
}
