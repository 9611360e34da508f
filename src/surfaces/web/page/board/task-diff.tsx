import { useState } from "preact/hooks";
import { safeText } from "../../../../core/text/text.ts";
import { diffWords } from "../../../../core/words/task-words.ts";
import type { TaskView } from "../../../../protocol/task.ts";
import type { TaskModel } from "./task-model.ts";

type Read = { words: string; lines: string[]; isCut: boolean } | { problem: string };
const LONGEST_LINE = 2000;

/** What its worktree changed, read when somebody wants to see it. */
export function TaskDiff({ task, tasks }: { task: TaskView; tasks: TaskModel }) {
  const [read, setRead] = useState<Read>();

  async function look(isOpen: boolean): Promise<void> {
    if (!isOpen) return;
    try {
      const found = await tasks.diff(task.id);
      const lines = found.patch.replace(/\n$/, "").split("\n");
      setRead({ words: diffWords(found), lines, isCut: found.isCut });
    } catch (error) {
      setRead({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  return (
    <details class="task-diff" onToggle={(event) => void look(event.currentTarget.open)}>
      <summary>Diff{task.diff && <span class="dim"> {diffWords(task.diff)}</span>}</summary>
      {read && "problem" in read && (
        <p class="error" role="alert">
          {read.problem}
        </p>
      )}
      {read && "lines" in read && (
        <pre tabIndex={0} aria-label={`Diff, ${read.words}`}>
          {read.lines.map((line, i) => (
            <span key={i} class={kindOf(line)}>
              {safeText(line.replaceAll("\r", "␍"), { max: LONGEST_LINE })}
              {"\n"}
            </span>
          ))}
          {read.isCut && "… the rest is too long to be shown here"}
        </pre>
      )}
    </details>
  );
}

function kindOf(line: string): string | undefined {
  if (/^(diff |index |\+\+\+ |--- )/.test(line)) return "file";
  if (line.startsWith("@@")) return "place";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;
}
