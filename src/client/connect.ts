import type { LogEvent } from "../core/ask/event.ts";
import { homeDir, pathsIn } from "../machine/home.ts";
import type { CallOf, ResultOf } from "../protocol/contract.ts";
import type { AskView } from "../protocol/view.ts";
import type { TaskView } from "../protocol/task.ts";
import { createClient } from "./client.ts";

export type ConnectOptions = {
  /** What people read where somebody answered: `answered by my-panel`. */
  surface: string;
  /** Where Parley keeps its state; else what `PARLEY_HOME` says, or the usual place. */
  home?: string;
  /** A call starts the daemon when it is away, unless a person stopped it. */
  startsDaemon?: boolean;
};
export type EventOptions = {
  /** The `seq` to go on after; else what happens from now on. */
  after?: number;
  signal?: AbortSignal;
  /** Hears whether the daemon is there. */
  onLine?: (isThere: boolean) => void;
};
export type Settlement = Pick<
  NonNullable<CallOf<"settleAsk">["body"]>,
  "action" | "answers" | "message" | "version" | "decision"
>;
export type Snooze = Pick<NonNullable<CallOf<"snoozeAsk">["body"]>, "minutes" | "until">;
export type Draft = NonNullable<CallOf<"putDraft">["body"]>["draft"];
/** `seq`: every event after it is news to whoever has this list. */
export type AskList = ResultOf<"listAsks"> & { seq: number };
export type Connection = ReturnType<typeof connect>;

/** The inbox for a surface of somebody else's, on Node or Bun. Contract: what it cannot do it says with a `ParleyError`. */
export function connect({ surface, home = homeDir(process.env), startsDaemon = false }: ConnectOptions) {
  const { call, events } = createClient(pathsIn(home), { wakes: startsDaemon });

  async function newest(): Promise<number> {
    const { events: last } = await call("readLog", { query: { tail: "true", limit: 1 } });
    return last.at(-1)?.seq ?? 0;
  }

  return {
    async list(query: NonNullable<CallOf<"listAsks">["query"]> = {}): Promise<AskList> {
      // Before the look at the list: what happens between the two is told again, not missed.
      const seq = await newest();
      return { ...(await call("listAsks", { query })), seq };
    },
    show: (id: string): Promise<AskView> => call("getAsk", { id }),
    /** The first one wins; whoever is late gets `already_settled`, with the outcome in `details`. */
    settle: (id: string, settlement: Settlement): Promise<AskView> =>
      call("settleAsk", { id, body: { ...settlement, surface } }),
    snooze: (id: string, until: Snooze): Promise<AskView> => call("snoozeAsk", { id, body: { ...until, surface } }),
    /** What somebody has filled in and not sent, here or elsewhere. */
    draft: (id: string): Promise<ResultOf<"getDraft">> => call("getDraft", { id }),
    keepDraft: (id: string, draft: Draft): Promise<ResultOf<"putDraft">> =>
      call("putDraft", { id, body: { draft, by: surface } }),
    tasks: async (query: NonNullable<CallOf<"listTasks">["query"]> = {}): Promise<TaskView[]> =>
      (await call("listTasks", { query })).tasks,
    task: (id: string): Promise<TaskView> => call("getTask", { id }),
    /** Goes on where it was when the daemon restarts: none is missed, none comes twice. */
    async *events({
      after,
      signal = new AbortController().signal,
      onLine,
    }: EventOptions = {}): AsyncGenerator<LogEvent> {
      yield* events(after ?? (await newest()), signal, onLine);
    },
    /** Any other endpoint of the API, by its name in the contract. */
    call,
  };
}
