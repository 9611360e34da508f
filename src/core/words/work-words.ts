import type { Applied, Task } from "../task/task.ts";
import { isOver } from "../task/task-state.ts";
import { safeLine } from "../text/text.ts";
import { counted } from "./number.ts";
import { diffWords } from "./task-words.ts";

// Free of the schema library: the page and lists say it too.

type Work = Pick<Task, "state" | "workdir" | "diff" | "applied" | "cleared">;

/** `2 commits, 3 files changed in /home/you/shop`: what came into the checkout. */
export function appliedWords({ commits, files, to }: Pick<Applied, "commits" | "files" | "to">): string {
  const what = [...(commits > 0 ? [counted(commits, "commit")] : []), `${counted(files, "file")} changed`];
  return files === 0 ? `nothing new for ${safeLine(to)}` : `applied: ${what.join(", ")} in ${safeLine(to)}`;
}

/** What became of the work in its worktree, in a word; empty where there is none. */
export function workWord({ state, workdir, diff, applied, cleared }: Work): string {
  if (!workdir) return "";
  if (cleared?.how === "discarded") return "discarded";
  if (applied) return "applied";
  return isOver({ state }) && !cleared && diff && diff.files > 0 ? "not applied" : "";
}

/** There is something that a person has to take or leave. */
export const hasWork = (task: Work): boolean =>
  task.workdir !== undefined && !task.cleared && (task.diff === undefined || task.diff.files > 0);

/** What would be lost. */
export const discardWords = ({ diff }: Pick<Work, "diff">): string =>
  `Discard ${diff && diff.files > 0 ? diffWords(diff) : "its worktree and branch"}?`;

/** git throws away what nothing points at after two weeks. */
export const restoreWords = (commit: string): string => `git branch restored ${commit.slice(0, 12)} (within two weeks)`;
