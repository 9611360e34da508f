import { counted, shortCount } from "../../../../core/words/number.ts";
import { costWords, NOTHING_CHANGED } from "../../../../core/words/task-words.ts";
import { sandboxWords } from "../../../../core/words/sandbox-words.ts";
import { duration } from "../../../../core/words/time.ts";
import { safeLine } from "../../../../core/text/text.ts";
import type { TaskView } from "../../../../protocol/task.ts";

export function TaskFacts({ task, now }: { task: TaskView; now: number }) {
  const { order, usage, workdir, diff, attempt, startedAt, endedAt } = task;
  const facts: [string, string | undefined][] = [
    ["Folder", workdir?.path ?? order.cwd],
    ["Branch", workdir?.branch],
    ["Sandbox", order.sandbox && sandboxWords(order.sandbox)],
    ["Model", order.model],
    ["Permissions", order.permissionMode],
    ["Time", startedAt === undefined ? undefined : duration((endedAt ?? now) - startedAt)],
    ["Turns", usage.turns > 0 ? String(usage.turns) : undefined],
    [
      "Tokens",
      usage.outputTokens > 0 ? `${shortCount(usage.inputTokens)} in, ${shortCount(usage.outputTokens)} out` : undefined,
    ],
    ["Cost", costWords(task) || undefined],
    ["Attempt", attempt > 1 ? String(attempt) : undefined],
  ];
  return (
    <>
      <dl class="task-facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{safeLine(value, { max: 300 })}</dd>
              </div>
            ),
        )}
      </dl>
      {diff && <Diff diff={diff} />}
    </>
  );
}

function Diff({ diff: { files, added, removed, paths = [] } }: { diff: NonNullable<TaskView["diff"]> }) {
  return (
    <section aria-label="Changes" class="diff">
      <h2>Changes</h2>
      <p>
        {files === 0 ? NOTHING_CHANGED : `${counted(files, "file")} `}
        {files > 0 && <b class="added">+{added}</b>} {files > 0 && <b class="removed">−{removed}</b>}
      </p>
      <ul>
        {paths.slice(0, 50).map((change) => (
          <li key={change.path}>
            <code>{safeLine(change.path, { max: 200 })}</code>
            <b class="added">+{change.added}</b> <b class="removed">−{change.removed}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
