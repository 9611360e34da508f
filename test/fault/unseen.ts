import type { Entry } from "./agent.ts";

/**
 * Why a question never became an Ask. Only `gave-up` is Parley's own doing: a hook that ran to its end and found no
 * daemon that lived long enough. In each case the agent's own dialog asked the person.
 */
export type Unseen = "gave-up" | "hooks-killed" | "agent-ended" | "answered-first";

export function whyUnseen(journal: readonly Entry[], key: string): Unseen {
  const of = journal.filter((entry) => "key" in entry && entry.key === key);
  const started = of.filter((entry) => entry.event === "hook");
  const ended = of.filter((entry) => entry.event === "output");
  const asking = ended.filter(({ hook }) => hook === "PreToolUse" || hook === "PermissionRequest");
  const took = of.findIndex(({ event }) => event === "took");
  const dialog = of.findIndex((entry) => entry.event === "output" && entry.hook === "PermissionRequest");
  if (asking.some(({ code }) => code === 0))
    return took >= 0 && (dialog < 0 || took < dialog) ? "answered-first" : "gave-up";
  if (asking.length < 2 || ended.length < started.length) return "agent-ended";
  return "hooks-killed";
}
