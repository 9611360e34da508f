import type { StreamItem } from "../agents/agent.ts";
import type { RunEnd, Usage } from "../core/task.ts";
import type { RunExit } from "./run-folder.ts";

/** What a run has shown of itself so far. In memory only: it is read again from the run's own file. */
export type Progress = ReturnType<typeof createProgress>;
const NOTHING: Usage = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

export function createProgress() {
  const messageOf = new Map<string, string>();
  let tool: { name: string; summary: string } | undefined;
  let said: string | undefined;
  let ended: (StreamItem & { type: "ended" }) | undefined;
  let version: string | undefined;

  return {
    take(item: StreamItem): void {
      if (item.type === "called") {
        messageOf.set(item.key, item.message);
        tool = { name: item.tool, summary: item.summary };
      }
      if (item.type === "began") ({ version } = item);
      if (item.type === "returned") tool = undefined;
      if (item.type === "said") said = item.text;
      if (item.type === "ended") ended = item;
    },
    /** The message with this call holds no other one: with several, only the last could be resumed. */
    isAlone(key: string): boolean {
      const message = messageOf.get(key);
      return message !== undefined && [...messageOf.values()].filter((other) => other === message).length === 1;
    },
    /** Of the agent's program. */
    version: () => version,
    tool: () => tool,
    said: () => ended?.text || said,
    usage: () => ended?.usage ?? NOTHING,
    end({ code }: RunExit, errors: string): RunEnd {
      const deferred = ended?.deferred;
      const ok = ended?.ok ?? false;
      return {
        ok,
        code,
        told: ended !== undefined,
        ...(deferred !== undefined && { deferred }),
        ...(ended?.overBudget && { overBudget: true }),
        ...(!ok && errors && { errors }),
      };
    },
  };
}
