import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { safeLine, safeText } from "../../../../core/text/text.ts";
import type { TaskLogEntry } from "../../../../core/task/task-log.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import { call } from "../api.ts";
import { type LogLine, logLines } from "./log-lines.ts";
import { Markdown } from "../text/markdown-view.tsx";

const POLL_MS = 1000;
const PAGE = 500;
const KEPT = 2000;
const NEAR_END = 24;
/** `isCut`: more was read than is kept. */
type Log = { entries: readonly TaskLogEntry[]; isCut: boolean };

/** What the agent said and did, as it happens. The end stays in sight for whoever looks at the end. */
export function TaskLog({ task }: { task: TaskView }) {
  const [{ entries, isCut }, setLog] = useState<Log>({ entries: [], isCut: false });
  const [problem, setProblem] = useState<string>();
  const place = useRef<Place>({ next: 0, isReading: false, isWanted: false });
  const left = useRef(new AbortController());
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);

  useEffect(() => () => left.current.abort(), []);
  useEffect(() => {
    const look = () => void follow(task.id, place.current, left.current.signal, taken, setProblem);
    const taken = (found: readonly TaskLogEntry[]) =>
      setLog((known) => {
        const all = [...known.entries, ...found];
        return { entries: all.slice(-KEPT), isCut: known.isCut || all.length > KEPT };
      });
    look();
    const timer = task.state === "in_progress" ? setInterval(look, POLL_MS) : undefined;
    return () => clearInterval(timer);
  }, [task.id, task.version, task.state]);

  useLayoutEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [entries]);

  return (
    <div
      class="log"
      ref={box}
      tabIndex={0}
      role="log"
      aria-label="What the agent said and did"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        (isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END)
      }
    >
      {isCut && <p class="none">The beginning is left out. All of it: parley task logs {task.id.slice(0, 8)}</p>}
      {logLines(entries).map((line) => (
        <Line key={line.n} line={line} />
      ))}
      {entries.length === 0 && <p class="none">{problem ?? "Nothing yet."}</p>}
    </div>
  );
}

function Line({ line }: { line: LogLine }) {
  const time = <time>{new Date(line.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}</time>;
  const summary = safeLine(line.text, { max: 300 });
  if (line.kind === "said")
    return (
      <div class="entry said-entry">
        {time}
        <Markdown text={line.text} />
      </div>
    );
  if (line.kind !== "called" && line.kind !== "asked")
    return (
      <div class="entry" data-kind={line.kind} data-error={line.isError}>
        {time}
        <span>{summary}</span>
      </div>
    );
  return (
    <details class="entry" data-kind={line.kind} data-error={line.isError}>
      <summary>
        {time}
        <span>
          <strong>{line.kind === "asked" ? "?" : safeLine(line.tool ?? "", { max: 40 })}</strong> {summary}
        </span>
        {line.isError && <span class="tag danger">failed</span>}
        {!line.isOver && <span class="tag">{line.kind === "asked" ? "open" : "runs"}</span>}
      </summary>
      {line.detail !== undefined && <pre tabIndex={0}>{safeText(line.detail, { max: 20_000 })}</pre>}
      {line.result !== undefined && <pre tabIndex={0}>{safeText(line.result, { max: 20_000 })}</pre>}
    </details>
  );
}

/** `isWanted`: something has happened since the reading began, and what is read may be older than that. */
type Place = { next: number; isReading: boolean; isWanted: boolean };

async function follow(
  id: string,
  place: Place,
  left: AbortSignal,
  taken: (entries: readonly TaskLogEntry[]) => void,
  failed: (problem: string) => void,
): Promise<void> {
  place.isWanted = true;
  if (place.isReading) return;
  place.isReading = true;
  try {
    for (let more = true; (more || place.isWanted) && !left.aborted;) {
      place.isWanted = false;
      const page = await call("taskLog", { id, query: { after: place.next, limit: PAGE } });
      place.next = page.next;
      if (page.entries.length > 0) taken(page.entries);
      more = page.more;
    }
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
  } finally {
    place.isReading = false;
  }
}
