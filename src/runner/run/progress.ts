import type { StreamItem } from "../../agents/capability/headless.ts";
import type { RunEnd } from "../../core/task/run-end.ts";
import type { Usage } from "../../core/task/usage.ts";
import type { RunExit } from "./run-folder.ts";

/** What a run has shown of itself so far. In memory only: it is read again from the run's own file. */
export type Progress = ReturnType<typeof createProgress>;

export function createProgress() {
  const messageOf = new Map<string, string>();
  const used = new Map<string, Pick<Usage, "inputTokens" | "outputTokens">>();
  const returned = new Set<string>();
  let writing: string | undefined;
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
      if (item.type === "used") used.set(item.message, item);
      if (item.type === "began") ({ version } = item);
      if (item.type === "message-began") writing = item.message;
      if (item.type === "message-ended") writing = undefined;
      if (item.type === "returned") {
        tool = undefined;
        returned.add(item.key);
      }
      if (item.type === "said") said = item.text;
      if (item.type === "ended") ended = item;
    },
    /** The message with this call is whole and holds no other one: with several, only the last could be resumed. */
    isAlone(key: string): boolean {
      const message = messageOf.get(key);
      if (message === undefined || message === writing) return false;
      return [...messageOf.values()].filter((other) => other === message).length === 1;
    },
    /** Nothing but this call goes on. */
    isWaitingFor: (key: string): boolean => [...messageOf.keys()].every((call) => call === key || returned.has(call)),
    /** Every call so far, in the agent's order: their hooks arrive in any. */
    calls: () => [...messageOf.keys()],
    /** Of the agent's program. */
    version: () => version,
    tool: () => tool,
    said: () => ended?.text || said,
    /** Its cost is only known at the end. */
    usage: (): Usage => ended?.usage ?? soFar([...used.values()]),
    reported: () => ended?.reported,
    end({ code }: RunExit, errors: string): RunEnd {
      const deferred = ended?.deferred;
      const ok = ended?.ok ?? false;
      return {
        ok,
        code,
        told: ended !== undefined,
        ...(!(ended?.text || said) && { silent: true }),
        ...(deferred !== undefined && { deferred }),
        ...(ended?.overBudget && { overBudget: true }),
        ...(!ok && errors && { errors }),
      };
    },
  };
}

function soFar(messages: readonly Pick<Usage, "inputTokens" | "outputTokens">[]): Usage {
  const total = (count: (message: Pick<Usage, "inputTokens" | "outputTokens">) => number) =>
    messages.reduce((sum, message) => sum + count(message), 0);
  return {
    turns: messages.length,
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    costUsd: 0,
  };
}
